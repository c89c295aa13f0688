"""The languages: name, grammar, comment markers, and the file names that mean them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Family(StrEnum):
    """What a language is for: it decides how a file is chunked and ranked."""

    CODE = "code"
    MARKUP = "markup"  # HTML, CSS, templates
    DATA = "data"  # JSON, YAML, CSV, settings
    PROSE = "prose"  # Markdown, reStructuredText, plain text


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    `grammar` is its name in the language pack; None means that the file is not parsed.
    `has_queries`: our own queries cover definitions, references and imports.
    `embeds_scripts`: `<script>` elements hold JavaScript or TypeScript, which is parsed in place.
    `extensions` have no dot and are lower case; `filenames` are whole names, as written;
    `interpreters` are what a `#!` line calls, without version digits.
    """

    name: str
    grammar: str | None
    family: Family
    has_queries: bool
    line_comments: tuple[str, ...]
    block_comment: tuple[str, str] | None
    embeds_scripts: bool
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    interpreters: tuple[str, ...]


# Languages with a `.scm` of our own that covers definitions, references and imports.
QUERIED = (
    *("python", "javascript", "typescript", "tsx", "go", "rust"),
    *("java", "c", "cpp", "csharp", "ruby", "php", "kotlin", "swift", "scala", "bash", "lua"),
)

_EMBEDDING = frozenset({"html", "vue", "svelte", "astro"})

_SLASH = ("//", ("/*", "*/"))
_HASH = ("#", None)
_DASH = ("--", None)
_LISP = (";", None)
_PERCENT = ("%", None)
_ML = ("", ("(*", "*)"))
_XML = ("", ("<!--", "-->"))
_BANG = ("!", None)
_NONE = ("", None)

_Comments = tuple[str, tuple[str, str] | None]

# (name, comments, extensions, file names, interpreters); "name=grammar" where the two differ,
# "name=" for what is not parsed.
_Row = (
    tuple[str, _Comments, str]
    | tuple[str, _Comments, str, str]
    | tuple[str, _Comments, str, str, str]
)

_CODE: tuple[_Row, ...] = (
    (
        "python",
        _HASH,
        "py pyi pyw pyx pxd pxi rpy gyp gypi wsgi",
        "SConstruct SConscript wscript",
        "python pypy pythonw",
    ),
    ("javascript", _SLASH, "js jsx mjs cjs es6 jsm", "Jakefile", "node nodejs bun"),
    ("typescript", _SLASH, "ts mts cts", "", "deno ts-node tsx"),
    ("tsx", _SLASH, "tsx"),
    ("go", _SLASH, "go"),
    ("rust", _SLASH, "rs", "", "rust-script"),
    ("java", _SLASH, "java jav"),
    ("c", _SLASH, "c h idc"),
    ("cpp", _SLASH, "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp txx ixx cppm tcc"),
    ("csharp", _SLASH, "cs csx cake"),
    (
        "ruby",
        _HASH,
        "rb rake gemspec ru podspec jbuilder thor rbw rabl rbi",
        "Rakefile Gemfile Guardfile Vagrantfile Capfile Podfile Brewfile Fastfile Appraisals "
        "Dangerfile .irbrc .pryrc",
        "ruby jruby rake macruby rbx",
    ),
    ("php", ("// #", ("/*", "*/")), "php phtml php3 php4 php5 php7 phps inc", "", "php"),
    ("kotlin", _SLASH, "kt kts ktm", "", "kotlin"),
    ("swift", _SLASH, "swift", "", "swift"),
    ("scala", _SLASH, "scala sc sbt", "", "scala"),
    (
        "bash",
        _HASH,
        "sh bash zsh ksh bats ebuild eclass command",
        ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile "
        ".kshrc APKBUILD PKGBUILD",
        "sh bash zsh ksh dash ash mksh bats",
    ),
    ("lua", ("--", ("--[[", "]]")), "lua rockspec wlua nse", ".luacheckrc", "lua luajit"),
    # The generic walk, or a definitions query, from here on.
    ("actionscript", _SLASH, "as"),
    ("ada", _DASH, "adb ads ada"),
    ("agda=", _DASH, "agda"),
    ("apex", _SLASH, "apex trigger"),
    ("arduino", _SLASH, "ino pde"),
    ("asm", _LISP, "asm s nasm"),
    ("bicep", _SLASH, "bicep"),
    ("bitbake", _HASH, "bb bbappend bbclass"),
    ("cairo", _SLASH, "cairo"),
    ("capnp", _HASH, "capnp"),
    ("clarity", _LISP, "clar"),
    ("clojure", _LISP, "clj cljs cljc edn cljx boot", "", "clojure bb"),
    ("cmake", _HASH, "cmake", "CMakeLists.txt"),
    ("cobol=", ("*", None), "cob cbl cobol cpy"),
    ("commonlisp", _LISP, "lisp lsp cl asd", "", "sbcl clisp"),
    ("cuda", _SLASH, "cu cuh"),
    ("d", _SLASH, "d di", "", "rdmd"),
    ("dart", _SLASH, "dart", "", "dart"),
    ("dockerfile", _HASH, "dockerfile containerfile", "Dockerfile Containerfile"),
    ("elisp", _LISP, "el", ".emacs Cask"),
    ("elixir", _HASH, "ex exs", "mix.lock", "elixir"),
    ("elm", ("--", ("{-", "-}")), "elm"),
    ("erlang", _PERCENT, "erl hrl escript yrl xrl", "rebar.config rebar.lock", "escript"),
    ("fennel", _LISP, "fnl"),
    ("firrtl", _LISP, "fir"),
    ("fish", _HASH, "fish", "", "fish"),
    ("fortran", _BANG, "f90 f95 f03 f08 f for f77 ftn fpp"),
    ("fsharp", ("//", ("(*", "*)")), "fs fsx fsscript"),
    ("fsharp_signature", ("//", ("(*", "*)")), "fsi"),
    ("func", _LISP, "fc"),
    ("gdscript", _HASH, "gd"),
    ("gleam", _SLASH, "gleam"),
    ("glsl", _SLASH, "glsl vert frag geom comp tesc tese vsh fsh"),
    ("gn", _HASH, "gn gni"),
    ("graphql", _HASH, "graphql gql graphqls"),
    ("groovy", _SLASH, "groovy gvy gy gsh gradle", "Jenkinsfile", "groovy"),
    ("hack", _SLASH, "hack hh"),
    ("hare", _SLASH, "ha"),
    ("haskell", ("--", ("{-", "-}")), "hs hsc lhs", "", "runhaskell runghc stack"),
    ("haxe", _SLASH, "hx"),
    ("hcl", ("#", ("/*", "*/")), "hcl nomad"),
    ("hlsl", _SLASH, "hlsl fx fxh cginc"),
    ("ispc", _SLASH, "ispc"),
    ("janet", _HASH, "janet", "", "janet"),
    ("jsonnet", _SLASH, "jsonnet libsonnet"),
    ("julia", ("#", ("#=", "=#")), "jl", "", "julia"),
    ("kconfig", _HASH, "", "Kconfig"),
    ("linkerscript", ("", ("/*", "*/")), "ld lds"),
    ("llvm", _LISP, "ll"),
    ("luau", ("--", ("--[[", "]]")), "luau"),
    ("make", _HASH, "mk mak make am", "Makefile makefile GNUmakefile BSDmakefile Kbuild", "make"),
    ("matlab", _PERCENT, "matlab m"),
    ("meson", _HASH, "", "meson.build meson_options.txt meson.options"),
    ("nim", ("#", ("#[", "]#")), "nim nims nimble"),
    ("ninja", _HASH, "ninja"),
    ("nix", ("#", ("/*", "*/")), "nix"),
    ("objc", _SLASH, "mm"),
    ("ocaml", _ML, "ml eliom", "", "ocaml ocamlrun"),
    ("ocaml_interface", _ML, "mli"),
    ("odin", _SLASH, "odin"),
    ("pascal", ("//", ("{", "}")), "pas pp dpr lpr dfm"),
    ("perl", _HASH, "pl pm t psgi plx cgi", "Makefile.PL Build.PL cpanfile", "perl"),
    ("pony", _SLASH, "pony"),
    ("powershell", ("#", ("<#", "#>")), "ps1 psm1 psd1", "", "pwsh powershell"),
    ("prisma", _SLASH, "prisma"),
    ("proto", _SLASH, "proto"),
    ("puppet", _HASH, "", "Puppetfile"),
    ("purescript", ("--", ("{-", "-}")), "purs"),
    ("qmljs", _SLASH, "qml qbs"),
    ("r", _HASH, "r rprofile", ".Rprofile", "Rscript r"),
    ("racket", _LISP, "rkt rktl rktd", "", "racket"),
    ("rego", _HASH, "rego"),
    ("rescript=", _SLASH, "res resi"),
    ("scheme", _LISP, "scm ss sld sls sps", "", "guile csi chez gosh"),
    ("smali", _HASH, "smali"),
    ("smithy", _SLASH, "smithy"),
    ("solidity", _SLASH, "sol"),
    ("sparql", _HASH, "rq sparql"),
    ("sql", ("--", ("/*", "*/")), "sql ddl dml pgsql plsql psql mysql"),
    ("squirrel", _SLASH, "nut"),
    (
        "starlark",
        _HASH,
        "bzl star bazel sky",
        "BUILD WORKSPACE BUCK Tiltfile MODULE.bazel BUILD.bazel WORKSPACE.bazel",
    ),
    ("tablegen", _SLASH, "td"),
    ("tcl", _HASH, "tcl tm", "", "tclsh wish"),
    ("terraform", ("#", ("/*", "*/")), "tf tfvars"),
    ("thrift", _SLASH, "thrift"),
    ("typst=", _SLASH, "typ"),
    ("v", _SLASH, "vv"),
    ("verilog", _SLASH, "v vh sv svh"),
    ("vhdl", _DASH, "vhd vhdl"),
    ("vim", ('"', None), "vim vimrc", ".vimrc .gvimrc _vimrc"),
    ("wast", _LISP, "wast"),
    ("wat", _LISP, "wat"),
    ("wgsl", _SLASH, "wgsl"),
    ("yuck", _LISP, "yuck"),
    ("zig", ("//", None), "zig zon"),
    ("bsl", _SLASH, "bsl os"),
    ("magik", _HASH, "magik"),
    ("nqc", _SLASH, "nqc"),
    ("uxntal", _NONE, "tal"),
    ("awk=", _HASH, "awk gawk", "", "awk gawk mawk"),
    ("batch=", ("rem ::", None), "bat cmd"),
    ("coffeescript=", _HASH, "coffee cson", "Cakefile", "coffee"),
    ("crystal=", _HASH, "cr", "", "crystal"),
    ("coq=", _ML, "coq"),
    ("lean=", ("--", ("/-", "-/")), "lean"),
    ("prolog=", _PERCENT, "pro prolog plt", "", "swipl"),
    ("visualbasic=", ("'", None), "vb vbs bas"),
    ("mojo=", _HASH, "mojo"),
    ("nushell=", _HASH, "nu", "", "nu"),
)

_MARKUP: tuple[_Row, ...] = (
    ("html", _XML, "html htm xhtml"),
    ("vue", _XML, "vue"),
    ("svelte", _XML, "svelte"),
    ("astro", _XML, "astro"),
    ("css", ("", ("/*", "*/")), "css pcss"),
    ("scss", _SLASH, "scss"),
    ("sass=", _SLASH, "sass"),
    ("less=", _SLASH, "less"),
    ("embeddedtemplate", _XML, "erb ejs"),
    ("heex", _XML, "heex leex"),
    ("twig", ("", ("{#", "#}")), "twig"),
    ("jinja=", ("", ("{#", "#}")), "j2 jinja jinja2"),
    ("handlebars=", ("", ("{{!", "}}")), "hbs handlebars mustache"),
    ("pug=", ("//", None), "pug jade"),
    ("haml=", _NONE, "haml slim"),
    ("mermaid=", ("%%", None), "mmd mermaid"),
)

_DATA: tuple[_Row, ...] = (
    (
        "json=",
        _NONE,
        "json json5 jsonc jsonl ndjson geojson webmanifest ipynb avsc har topojson",
        ".babelrc .eslintrc .prettierrc .swcrc composer.lock Pipfile.lock flake.lock",
    ),
    ("yaml=", _HASH, "yaml yml", ".clang-format .clang-tidy .clangd CITATION.cff .gemrc"),
    ("toml=", _HASH, "toml", "Cargo.lock poetry.lock uv.lock Pipfile"),
    (
        "ini=",
        _LISP,
        "ini cfg conf cnf editorconfig desktop service socket timer inf",
        ".editorconfig .gitconfig .gitmodules .npmrc .flake8 .coveragerc .pylintrc setup.cfg",
    ),
    ("properties=", _HASH, "properties env", ".env"),
    (
        "xml=",
        _XML,
        "xml xsd xsl xslt xaml csproj vbproj fsproj vcxproj props targets plist svg rss atom "
        "wsdl resx "
        "nuspec kml storyboard xib iml pom",
    ),
    ("dtd=", _XML, "dtd"),
    ("csv=", _NONE, "csv"),
    ("tsv=", _NONE, "tsv tab"),
    ("kdl=", _SLASH, "kdl"),
    ("ron=", _SLASH, "ron"),
    ("bibtex=", _PERCENT, "bib"),
    ("beancount=", _LISP, "beancount"),
    ("po=", _HASH, "po pot"),
    ("pem=", _NONE, "pem crt cer key pub"),
    ("requirements=", _HASH, "", "requirements.txt constraints.txt"),
    ("gomod=", _SLASH, "", "go.mod go.work"),
    ("gosum=", _NONE, "", "go.sum go.work.sum"),
    (
        "gitignore=",
        _HASH,
        "",
        ".gitignore .dockerignore .npmignore .eslintignore .prettierignore "
        ".gcloudignore .helmignore CODEOWNERS",
    ),
    ("gitattributes=", _HASH, "", ".gitattributes"),
    ("pymanifest=", _HASH, "", "MANIFEST.in"),
    ("diff=", _NONE, "diff patch"),
    ("query=", _LISP, ""),
)

_PROSE: tuple[_Row, ...] = (
    ("markdown=", _XML, "md markdown mdown mkd mdx mdwn qmd rmd"),
    ("rst=", ("..", None), "rst rest"),
    ("asciidoc=", _SLASH, "adoc asciidoc asc"),
    ("org=", _HASH, "org"),
    ("latex=", _PERCENT, "tex sty ltx cls dtx"),
    (
        "text=",
        _NONE,
        "txt text log",
        "LICENSE LICENCE COPYING NOTICE README AUTHORS CONTRIBUTORS CHANGES CHANGELOG TODO NEWS "
        "VERSION INSTALL",
    ),
)


def _language(row: _Row, family: Family) -> Language:
    name, separator, grammar = row[0].partition("=")
    line, block = row[1]
    files = row[3] if len(row) > 3 else ""
    interpreters = row[4] if len(row) > 4 else ""
    return Language(
        name=name,
        grammar=(grammar or None) if separator else name,
        family=family,
        has_queries=name in QUERIED,
        line_comments=tuple(line.split()),
        block_comment=block,
        embeds_scripts=name in _EMBEDDING,
        extensions=tuple(row[2].split()),
        filenames=tuple(files.split()),
        interpreters=tuple(interpreters.split()),
    )


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        entry.name: entry
        for family, rows in (
            (Family.CODE, _CODE),
            (Family.MARKUP, _MARKUP),
            (Family.DATA, _DATA),
            (Family.PROSE, _PROSE),
        )
        for entry in (_language(row, family) for row in rows)
    }
)
