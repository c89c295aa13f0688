"""What the graph must know of each language beyond its syntax: how names see each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Reach(StrEnum):
    """How far something reaches without an import."""

    FILE = "file"
    FOLDER = "folder"
    PACKAGE = "package"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class Family:
    """Languages that can call each other, and the rules of their names.

    `bare_members`: inside a class, a name alone may be a member of it. `names_reach`: top-level
    names are seen so far. `members_reach`: a type's members may be written so far from it.
    `is_open`: a name that nothing binds may still be defined anywhere in the tree (C's linker,
    Ruby's and PHP's globals); elsewhere such a name is the language's or a library's.
    `library_heads`: names that a receiver begins with if the language's own library is meant.
    `constants_are_types`: a capitalised receiver names a type or module, not a variable.
    """

    name: str
    languages: frozenset[str]
    self_words: frozenset[str] = frozenset()
    super_words: frozenset[str] = frozenset()
    constructors: frozenset[str] = frozenset()
    named_constructor: bool = False  # a constructor is called as its class
    makers: frozenset[str] = frozenset()  # `Foo.new` makes a Foo
    bare_members: bool = False
    names_reach: Reach = Reach.FILE
    members_reach: Reach = Reach.FILE
    is_open: bool = False
    common: frozenset[str] = field(default=frozenset())
    library_heads: frozenset[str] = frozenset()
    constants_are_types: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Methods of what every program has: a receiver of unknown type is most likely one of these.
_COMMON_PYTHON = _words(
    "append extend insert remove pop clear index count sort reverse copy get keys values items"
    " update setdefault popitem add discard union join split strip lstrip rstrip startswith"
    " endswith replace format lower upper title encode decode find rfind read write close flush"
    " seek readline readlines writelines group groups match search sub fullmatch finditer"
    " findall partition rpartition splitlines isdigit isalpha zfill ljust rjust center"
    " exists mkdir open is_file is_dir resolve unlink touch rename iterdir glob read_text"
    " write_text read_bytes write_bytes as_posix relative_to joinpath with_suffix"
    " start acquire release wait put send recv cancel result done set submit"
    " debug info warning error exception critical log mock_calls assert_called_once"
    " total_seconds isoformat strftime timestamp hexdigest digest most_common difference"
    " intersection issubset throw __init__ __enter__ __exit__ __repr__ __str__ __eq__ __hash__"
    " __len__ __iter__ __getitem__ __setitem__ __contains__ __call__ __new__"
)
_COMMON_JS = _words(
    "push pop shift unshift slice splice concat join map filter reduce forEach some every find"
    " findIndex indexOf lastIndexOf includes sort reverse keys values entries flat flatMap fill"
    " get set has add delete clear then catch finally toString valueOf hasOwnProperty call apply"
    " bind split replace replaceAll trim toLowerCase toUpperCase charAt charCodeAt startsWith"
    " endsWith substring substr match matchAll test exec padStart padEnd repeat on once off emit"
    " addListener removeListener pipe write end read close open log error warn info debug send"
    " json next return throw resolve reject all race parse stringify assign freeze create now"
    " getTime toISOString at addEventListener removeEventListener querySelector appendChild"
    " preventDefault setAttribute getAttribute"
)
_COMMON_GO = _words(
    "Error String Len Less Swap Read Write Close Seek Lock Unlock RLock RUnlock Add Done Wait Get"
    " Set Put Del Delete Format Printf Println Print Errorf Fatalf Fatal Logf Log Run Helper"
    " Parallel Skip Name Scan Next Err Bytes Reset WriteString ReadFrom WriteTo Load Store Range"
    " Unix UnixNano Sub After Before Equal Type Kind Elem Field NumField Interface Value"
    " MarshalJSON UnmarshalJSON Encode Decode Marshal Unmarshal Header ServeHTTP WriteHeader"
)
_COMMON_RUST = _words(
    "new default clone into from as_ref as_mut as_str to_string to_owned unwrap expect map"
    " map_err and_then or_else ok err ok_or ok_or_else unwrap_or unwrap_or_else unwrap_or_default"
    " is_some is_none is_ok is_err iter iter_mut into_iter collect filter fold push pop insert"
    " remove get get_mut len is_empty contains contains_key extend clear next take skip zip"
    " enumerate rev chain any all find position sum count min max join split trim parse"
    " starts_with ends_with as_bytes to_vec as_slice borrow borrow_mut lock read write send recv"
    " poll await fmt eq cmp partial_cmp hash drop deref index add sub mul div not neg try_into"
    " try_from flush entry or_insert or_insert_with keys values drain sort sort_by concat cloned"
    " copied flatten flat_map lines chars bytes replace then then_some boxed spawn build as_deref"
)
_COMMON_JVM = _words(
    "get set put add remove size isEmpty contains containsKey clear equals hashCode toString"
    " compareTo iterator hasNext next length charAt substring indexOf split trim append insert"
    " stream map filter collect forEach reduce keySet values entrySet getKey getValue close"
    " read write flush run call apply accept test build getName getClass valueOf format"
    " parseInt join let also with to first last toList of name ordinal copy invoke println"
    " print getMessage printStackTrace start stop open lock unlock await submit execute"
)
_COMMON_C = _words(
    "begin end size empty push_back pop_back emplace_back front back insert erase find count clear"
    " get reset release c_str data str at resize reserve length substr append first second swap"
    " load store lock unlock join detach wait notify_one notify_all push pop top emplace"
)
_COMMON_RUBY = _words(
    "new each map select reject find inject reduce to_s to_a to_i to_sym to_h to_str inspect"
    " include? key? has_key? empty? nil? any? all? none? is_a? kind_of? respond_to? send freeze"
    " dup clone push pop shift unshift first last size length count join split strip gsub sub"
    " match match? start_with? end_with? merge merge! delete fetch keys values call puts print"
    " raise lambda proc instance_eval class_eval define_method tap then sort sort_by min max"
    " sum zip flatten compact uniq upcase downcase capitalize read write close open each_with_index"
    " each_pair index hash eql? equal? [] []= == < > + - <<"
    " debug info warn error fatal name clear get set host path id type value update"
)
_COMMON_CSHARP = _words(
    "ToString Equals GetHashCode GetType Add Remove Contains ContainsKey Clear Count Select Where"
    " First FirstOrDefault Single SingleOrDefault Any All ToList ToArray ToDictionary OrderBy"
    " GroupBy Join Split Trim Replace Substring IndexOf StartsWith EndsWith Format Dispose Close"
    " Read Write Flush Invoke TryGetValue Append AppendLine ConfigureAwait GetAwaiter GetResult"
    " Wait Result Cancel Cast OfType Concat Distinct Max Min Sum Skip Take Aggregate Get Set"
)

FAMILIES: tuple[Family, ...] = (
    Family(
        "python",
        _words("python cython"),
        self_words=_words("self cls"),
        super_words=_words("super()"),
        constructors=_words("__init__ __new__"),
        common=_COMMON_PYTHON,
    ),
    Family(
        "javascript",
        _words("javascript typescript tsx jsx vue svelte"),
        self_words=_words("this"),
        super_words=_words("super"),
        constructors=_words("constructor"),
        common=_COMMON_JS,
        library_heads=_words(
            "console process window document globalThis Math JSON Object Array Promise Number"
            " String Reflect Symbol Date Buffer"
        ),
    ),
    Family(
        "go",
        _words("go"),
        names_reach=Reach.FOLDER,
        members_reach=Reach.FOLDER,
        common=_COMMON_GO,
    ),
    Family(
        "rust",
        _words("rust"),
        self_words=_words("self Self"),
        members_reach=Reach.TREE,
        common=_COMMON_RUST,
    ),
    Family(
        "jvm",
        _words("java kotlin scala groovy"),
        self_words=_words("this"),
        super_words=_words("super"),
        constructors=_words("constructor <init> init"),
        named_constructor=True,
        bare_members=True,
        names_reach=Reach.PACKAGE,
        common=_COMMON_JVM,
        library_heads=_words("sys System Math Objects Arrays Collections Files Paths"),
        constants_are_types=True,
    ),
    Family(
        "c",
        _words("c cpp objc cuda arduino"),
        self_words=_words("this self"),
        super_words=_words("super"),
        named_constructor=True,
        bare_members=True,
        members_reach=Reach.TREE,
        is_open=True,
        common=_COMMON_C,
        library_heads=_words("std"),
    ),
    Family(
        "csharp",
        _words("csharp"),
        self_words=_words("this"),
        super_words=_words("base"),
        named_constructor=True,
        bare_members=True,
        names_reach=Reach.PACKAGE,
        members_reach=Reach.PACKAGE,
        common=_COMMON_CSHARP,
        constants_are_types=True,
    ),
    Family(
        "ruby",
        _words("ruby"),
        self_words=_words("self"),
        super_words=_words("super"),
        constructors=_words("initialize"),
        makers=_words("new"),
        bare_members=True,
        names_reach=Reach.TREE,
        members_reach=Reach.TREE,
        is_open=True,
        common=_COMMON_RUBY,
        constants_are_types=True,
    ),
    Family(
        "php",
        _words("php"),
        self_words=_words("$this self static"),
        super_words=_words("parent"),
        constructors=_words("__construct"),
        names_reach=Reach.PACKAGE,
        common=_words("get set add remove has count current key next rewind valid __toString"),
    ),
    Family(
        "swift",
        _words("swift"),
        self_words=_words("self Self"),
        super_words=_words("super"),
        constructors=_words("init"),
        bare_members=True,
        names_reach=Reach.TREE,
        members_reach=Reach.TREE,
        is_open=True,
        common=_COMMON_JVM | _COMMON_JS,
        constants_are_types=True,
    ),
    Family(
        "lua",
        _words("lua luau"),
        self_words=_words("self"),
        makers=_words("new"),
        is_open=True,
        common=_words(
            "new insert remove concat sort format gsub sub find match gmatch len close read"
        ),
    ),
    Family("shell", _words("bash zsh fish"), is_open=True),
)
_BY_LANGUAGE = {language: family for family in FAMILIES for language in family.languages}


def family_of(language: str) -> Family:
    """Return the family of a language; an unknown one stands alone, with open names."""
    known = _BY_LANGUAGE.get(language)
    return known if known is not None else Family(language, frozenset({language}), is_open=True)
