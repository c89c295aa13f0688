"""Twenty seeded defects and twenty clean changes in nine languages, each a before and an after.

    for case in DEFECTS: case.path, case.before, case.after, case.quote, case.title, case.body

`quote` is the line of the defect at head. A clean change has a `quote` too: the line that a model
may wrongly complain about, with `title` and `body` of a false claim. Code is our own and small.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NoteCase:
    """One changed file with what a reviewer may say of it; `kind` is the note's."""

    path: str
    before: str
    after: str
    quote: str
    title: str
    body: str
    symbols: tuple[str, ...] = ()
    kind: str = "bug"


def _case(
    path: str, code: str, change: tuple[str, str], claim: str, symbols: str = "", kind: str = "bug"
) -> NoteCase:
    """Return a case: `@@` in the code is the first of `change` before, the second after."""
    old, new = change
    title, _, body = claim.partition(": ")
    quote = next(line.strip() for line in new.split("\n") if line.strip())
    return NoteCase(
        path,
        code.replace("@@", old),
        code.replace("@@", new),
        quote,
        title,
        body,
        tuple(symbols.split()),
        kind,
    )


_PAGE = "def page(rows, size, number):\n    start = number * size\n    @@\n"
_OPEN = "import json\n\ndef load(path):\n    @@\n    return json.loads(text)\n"
_PAY = (
    "def pay(account, amount):\n    @@\n    account.balance -= amount\n    return account.balance\n"
)
_CACHE = "store = {}\n\ndef put(key, value, seen=None):\n    @@\n    store[key] = value\n"
_SQL = "def find(db, name):\n    @@\n    return db.fetchall()\n"
_GO = (
    "package shop\n\nfunc Total(prices []int) int {\n\tsum := 0\n\t@@\n\t\tsum += prices[i]\n\t}\n"
    "\treturn sum\n}\n"
)
_GO_ERR = "package shop\n\nfunc Save(s Store, item Item) error {\n\t@@\n\treturn s.Commit()\n}\n"
_JS = "async function fetchUser(id) {\n  @@\n  return reply.json();\n}\n"
_JS_EQ = "export function isEmpty(list) {\n  @@\n}\n"
_TS = "export function clamp(value: number, low: number, high: number): number {\n  @@\n}\n"
_RUST = "pub fn first(items: &[u32]) -> Option<u32> {\n    @@\n}\n"
_JAVA = "class Names {\n  static boolean same(String left, String right) {\n    @@\n  }\n}\n"
_JAVA_CLOSE = (
    "class Reader {\n  String read(Source source) {\n    @@\n    source.close();\n"
    "    return text;\n  }\n}\n"
)
_C = "char *copy(const char *text, int n) {\n  @@\n  memcpy(out, text, n);\n  return out;\n}\n"
_C_LOOP = "int last(int *items, int n) {\n  @@\n}\n"
_RUBY = "def average(items)\n  @@\nend\n"
_PHP = "<?php\nfunction greet($name) {\n    @@\n}\n"
_SHELL = "#!/bin/sh\nclean() {\n  @@\n}\n"
_LOCK = (
    "import threading\n\nlock = threading.Lock()\ncount = 0\n\ndef bump():\n    global count\n"
    "    @@\n"
)
_DATE = "def days(start, end):\n    @@\n"

DEFECTS: tuple[NoteCase, ...] = (
    _case(
        "app/page.py",
        _PAGE,
        ("return rows[start:start + size]", "return rows[start:start + size - 1]"),
        "Every page loses its last row: `page` cuts at size - 1, so one row is never shown.",
        "page",
    ),
    _case(
        "app/load.py",
        _OPEN,
        ("text = path.read_text()", "text = path.read_bytes().decode('ascii')"),
        "Files with other letters crash: `load` decodes as ASCII and raises on any UTF-8 file.",
        "load",
    ),
    _case(
        "app/pay.py",
        _PAY,
        (
            "if amount > account.balance:\n        raise ValueError(amount)",
            "if amount < 0:\n        raise ValueError(amount)",
        ),
        "Balances can go below zero: `pay` no longer refuses an amount above account.balance.",
        "pay",
    ),
    _case(
        "app/cache.py",
        _CACHE,
        ("if seen is None:\n        seen = set()", "seen = seen or store"),
        "An empty set is replaced by the store: `put` takes store for seen when seen is empty.",
        "put store",
    ),
    _case(
        "app/find.py",
        _SQL,
        (
            "db.execute('SELECT * FROM t WHERE n = ?', (name,))",
            "db.execute(f\"SELECT * FROM t WHERE n = '{name}'\")",
        ),
        "The name is pasted into SQL: `find` lets a quote in name end the string, an injection.",
        "find",
        "security",
    ),
    _case(
        "shop/total.go",
        _GO,
        ("for i := 0; i < len(prices); i++ {", "for i := 0; i <= len(prices); i++ {"),
        "The loop runs past the end: `Total` reads prices[len(prices)] and panics.",
        "Total",
    ),
    _case(
        "shop/save.go",
        _GO_ERR,
        ("if err := s.Put(item); err != nil {\n\t\treturn err\n\t}", "s.Put(item)"),
        "A failed Put is committed: `Save` drops the error of `Put` and commits all the same.",
        "Save Put",
        "error_handling",
    ),
    _case(
        "web/user.js",
        _JS,
        ("const reply = await fetch(`/users/${id}`);", "const reply = fetch(`/users/${id}`);"),
        "The reply is a promise: without await `fetchUser` calls json on a promise and throws.",
        "fetchUser",
    ),
    _case(
        "web/empty.js",
        _JS_EQ,
        ("return list.length === 0;", "return list.length = 0;"),
        "The list is emptied: `isEmpty` assigns 0 to length, which drops all items.",
        "isEmpty",
        "data_loss",
    ),
    _case(
        "web/clamp.ts",
        _TS,
        (
            "return Math.min(Math.max(value, low), high);",
            "return Math.min(Math.max(value, high), low);",
        ),
        "Bounds are swapped: `clamp` answers low for every value, since they changed places.",
        "clamp",
    ),
    _case(
        "core/first.rs",
        _RUST,
        ("items.first().copied()", "Some(items[0])"),
        "An empty slice panics: `first` indexes items without asking whether there is one.",
        "first",
    ),
    _case(
        "jvm/Names.java",
        _JAVA,
        ("return left.equals(right);", "return left == right;"),
        "Identity is compared: `same` is false for equal texts, a wrong result.",
        "same",
    ),
    _case(
        "jvm/Reader.java",
        _JAVA_CLOSE,
        (
            "String text = source.all();",
            "String text = source.all();\n    if (text == null) return null;",
        ),
        "The source leaks: on a missing text `read` returns before close.",
        "read",
    ),
    _case(
        "lib/copy.c",
        _C,
        ("char *out = malloc(n + 1);\n  out[n] = 0;", "char *out = malloc(n);\n  out[n] = 0;"),
        "One byte is written past the end: `copy` allocates n and sets out[n], an overflow.",
        "copy",
        "security",
    ),
    _case(
        "lib/last.c",
        _C_LOOP,
        ("return n > 0 ? items[n - 1] : 0;", "return items[n - 1];"),
        "No items read before the array: `last` with n of 0 reads items[-1], a wrong access.",
        "last",
    ),
    _case(
        "ruby/average.rb",
        _RUBY,
        ("items.sum / items.size.to_f", "items.sum / items.size"),
        "The average is cut to an integer: `average` divides whole numbers, a wrong result.",
        "average",
    ),
    _case(
        "php/greet.php",
        _PHP,
        ("return 'Hello ' . htmlspecialchars($name);", "return 'Hello ' . $name;"),
        "Markup is let through: `greet` gives the name unescaped, so a script in it runs.",
        "greet",
        "security",
    ),
    _case(
        "bin/clean.sh",
        _SHELL,
        ('[ -n "$1" ] && rm -rf "$1/tmp"', 'rm -rf "$1/tmp"'),
        "An empty argument deletes /tmp: `clean` no longer asks whether $1 is set; data is lost.",
        "clean",
        "data_loss",
    ),
    _case(
        "app/count.py",
        _LOCK,
        ("with lock:\n        count += 1", "count += 1"),
        "Two threads lose counts: `bump` no longer holds lock while it adds, a wrong count.",
        "bump lock",
        "concurrency",
    ),
    _case(
        "app/days.py",
        _DATE,
        ("return (end - start).days", "return (start - end).days"),
        "The sign is turned: `days` answers a negative number where end is later; a wrong result.",
        "days",
    ),
)

_TEXT = "def join(parts, mark=', '):\n    @@\n"
_NUMBER = "def double(n):\n    @@\n"

_CLEAN_PAIRS: tuple[tuple[str, str, tuple[str, str]], ...] = (
    (
        "clean/join.py",
        _TEXT,
        ("return mark.join(parts)", "return mark.join(str(p) for p in parts)"),
    ),
    ("clean/double.py", _NUMBER, ("return n * 2", "return n + n")),
    ("clean/page.py", _PAGE, ("return rows[start:][:size]", "return rows[start:start + size]")),
    ("clean/load.py", _OPEN, ("text = open(path).read()", "text = path.read_text('utf-8')")),
    (
        "clean/pay.py",
        _PAY,
        ("pass", "if amount > account.balance:\n        raise ValueError(amount)"),
    ),
    ("clean/cache.py", _CACHE, ("pass", "if seen is not None:\n        seen.add(key)")),
    (
        "clean/find.py",
        _SQL,
        ("db.execute('SELECT 1')", "db.execute('SELECT * FROM t WHERE n = ?', (name,))"),
    ),
    ("clean/total.go", _GO, ("for i := 0; i < len(prices); i += 1 {", "for i := range prices {")),
    (
        "clean/save.go",
        _GO_ERR,
        ("s.Put(item)", "if err := s.Put(item); err != nil {\n\t\treturn err\n\t}"),
    ),
    (
        "clean/user.js",
        _JS,
        ("const reply = await get(id);", "const reply = await fetch(`/users/${id}`);"),
    ),
    ("clean/empty.js", _JS_EQ, ("return list.length == 0;", "return list.length === 0;")),
    ("clean/clamp.ts", _TS, ("return value;", "return Math.min(Math.max(value, low), high);")),
    ("clean/first.rs", _RUST, ("items.get(0).copied()", "items.first().copied()")),
    ("clean/Names.java", _JAVA, ("return left == right;", "return left.equals(right);")),
    ("clean/Reader.java", _JAVA_CLOSE, ('String text = "";', "String text = source.all();")),
    (
        "clean/copy.c",
        _C,
        ("char *out = malloc(n + 2);", "char *out = malloc(n + 1);\n  out[n] = 0;"),
    ),
    ("clean/last.c", _C_LOOP, ("return items[n - 1];", "return n > 0 ? items[n - 1] : 0;")),
    ("clean/average.rb", _RUBY, ("items.sum / items.size", "items.sum / items.size.to_f")),
    ("clean/greet.php", _PHP, ("return $name;", "return 'Hello ' . htmlspecialchars($name);")),
    ("clean/days.py", _DATE, ("return 0", "return (end - start).days")),
)

CLEAN: tuple[NoteCase, ...] = tuple(
    _case(path, code, change, "This line crashes: it raises whenever the input is empty, I think.")
    for path, code, change in _CLEAN_PAIRS
)
