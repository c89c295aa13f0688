#ifndef STORE_H
#define STORE_H
#ifdef __cplusplus
extern "C" {
#endif

#define STORE_API(type) __attribute__((visibility("default"))) type

struct opaque;

/* Opens. */
struct opaque *store_open(const char *path);
STORE_API(int) store_close(struct opaque *store);
extern const int store_version;

#ifdef __cplusplus
}
#endif
#endif
