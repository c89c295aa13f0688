/* A store of things. */
#include <stdio.h>
#include "store.h"
#include HEADER

#define MAX_ITEMS 64
#define SQUARE(x) ((x) * (x))

typedef unsigned long store_id;
typedef int (*visitor_fn)(struct item *item, void *data);

/* One item. */
struct item {
    store_id id;
    const char *name;
    struct item *next, *prev;
    int (*compare)(const struct item *a, const struct item *b);
    char tag[16];
};

typedef struct {
    int width;
} box_t;

typedef struct node {
    struct node *left;
} node_t;

enum color { RED, GREEN = 2 };

typedef enum { ON, OFF } power_t;

union value {
    int i;
    float f;
};

static int counter = 0;
const char *const names[] = { "a", "b" };
extern int shared_flag;
static visitor_fn default_visitor;

/* Prototype. */
int store_add(struct item *item, store_id id);
static char *copy_name(const char *name);

// Adds an item.
// Twice, perhaps.
static inline int
store_add_internal(struct item *item)
{
    store_id id = SQUARE(counter);
    item->compare(item, NULL);
    if (item == NULL) {
        return store_add(item, (store_id)id);
    }
    return sizeof(struct item);
}

char *copy_name(const char *name)
{
    box_t box = { 0 };
    char *out = malloc(strlen(name) + 1);
    (void)box;
    return out;
}

struct item **find_all(visitor_fn visit, enum color wanted)
{
    default_visitor = visit;
    registry.hooks->fire(wanted);
    return (struct item **)0;
}

int (*get_handler(int code))(int)
{
    return handler_for(code);
}

#ifdef DEBUG
void debug_dump(FILE *out)
{
    fprintf(out, "%d", counter);
}
#endif
