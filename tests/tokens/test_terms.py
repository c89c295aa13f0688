"""Terms: what a token becomes, and that documents, queries and literals agree."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.model import Chunk, ChunkKind, Span, SymbolKind
from sidelight.tokens import (
    document_terms,
    embedding_text,
    identifiers,
    literal_terms,
    query_terms,
    split_words,
    term_hash,
    text_terms,
)
from sidelight.tokens.words import expand


def chunk(
    text: str, *, symbol: str = "", header: str = "", kind: ChunkKind = ChunkKind.DEFINITION
) -> Chunk:
    """Return a chunk of that text."""
    size = max(1, len(text.encode("utf-8", "surrogatepass")))
    return Chunk(Span(0, size, 1, 1), kind, "python", symbol, SymbolKind.FUNCTION, header, text)


@pytest.mark.parametrize(
    ("token", "terms"),
    [
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("parseURL2", {"parseurl2", "pars", "url", "url2", "2"}),
        ("getHTTPSUrls", {"gethttpsurls", "get", "https", "url"}),
        ("MAX_RETRIES", {"max_retries", "max", "retri"}),
        ("parse_user_token", {"parse_user_token", "pars", "user", "token"}),
        ("utf8", {"utf8", "utf", "8"}),
        ("decodeUtf8", {"decodeutf8", "decod", "utf8", "utf", "8"}),
        ("ERR_0x80", {"err_0x80", "err", "0x80"}),
        ("E0382", {"e0382"}),
        ("0x8000", {"0x8000"}),
        ("0xDEADBEEF", {"0xdeadbeef"}),
        ("v2", {"v2"}),
        ("apiV2", {"apiv2", "api", "v2"}),
        ("IPv4Address", {"ipv4address", "ipv4", "address"}),
        ("__init__", {"__init__", "init"}),
        ("retries", {"retries", "retri"}),
        ("no-hook", {"no-hook", "no", "hook"}),
        ("2024-01-31", {"2024", "01", "31"}),
        ("i-1", {"i", "1"}),
        ("_", set()),
        ("42", {"42"}),
        ("18446744073709551615", {"18446744073709551615"}),
        ("9" * 21, set()),
        ("Café", {"cafe"}),
        ("cafe\u0301", {"cafe"}),
        ("STRASSE", {"strasse", "strass"}),
        ("straße", {"strasse", "strass"}),
        ("ＨＴＴＰ", {"http"}),
        ("日本語", {"日本", "本語"}),
        ("字", {"字"}),
        ("ｶﾞｷﾞ", {"ガギ"}),
        ("日本語Parser", {"日本", "本語", "parser"}),
        ("Привет_мир", {"привет_мир", "привет", "мир"}),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", {"da39a3ee5e6b4b0d3255bfef95601890afd80709"}),
    ],
)
def test_a_token_becomes(token: str, terms: set[str]) -> None:
    found = expand(token)
    assert set(found) == terms
    assert len(found) == len(set(found))


def test_long_names_of_tests_keep_their_words_but_digests_do_not() -> None:
    name = "test_that_a_restored_index_embeds_nothing_even_if_the_cache_was_moved_elsewhere"
    assert {name, "restor", "index", "cach"} <= set(expand(name))
    digest = "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff83"
    assert expand(digest) == ()
    assert expand("x" * 65) == ()


def test_text_and_header_count_once_the_path_twice_and_the_name_three_times() -> None:
    terms = document_terms(
        chunk("return token", symbol="Server.parse_user", header="class Server:"), b"src/web/app.py"
    )
    assert terms["token"] == 1
    assert terms["server"] == 3 + 1
    assert terms["parse_user"] == terms["pars"] == terms["user"] == 3
    assert terms["src"] == terms["web"] == terms["app"] == terms["py"] == 2


def test_queries_and_documents_agree() -> None:
    document = document_terms(chunk("def parseUserTokens(self): ..."), b"a.py")
    assert query_terms("parseUserTokens").keys() <= document.keys()
    assert query_terms("parsing user token").keys() & document.keys() >= {"pars", "user", "token"}


def test_stop_words_leave_a_query_only_if_something_stays() -> None:
    assert "where" not in query_terms("where are the retries handled")
    assert query_terms("The who") == {"the": 1, "who": 1}
    assert "the" in document_terms(chunk("the retries"), b"a")
    assert query_terms("") == query_terms("+-*/ <> 🙂\x00\x07") == {}


def test_line_numbers_of_an_overview_are_not_terms() -> None:
    text = "class A:\n    def run(self):  [120-180]\n"
    terms = document_terms(chunk(text, kind=ChunkKind.OVERVIEW), b"a.py")
    assert "run" in terms
    assert "120" not in terms
    assert "120" not in embedding_text(chunk(text, kind=ChunkKind.OVERVIEW), b"a.py")


def test_hashes_are_the_same_in_every_process() -> None:
    assert term_hash("parse") == 0x5A25565468038C17
    code = "from sidelight.tokens import term_hash; print(term_hash('naïve'))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }
    assert seen == {f"{term_hash('naïve')}\n"}
    assert 0 <= term_hash("") < 1 << 64


def test_tokens_need_neither_numpy_nor_the_parser() -> None:
    code = (
        "import sys, sidelight.tokens, sidelight.chunking;"
        "sys.exit(bool({'numpy', 'tree_sitter', 'onnxruntime'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_identifiers_are_whole_and_keep_their_case() -> None:
    found = identifiers("self.HTTPServer(x2, 3, 'naïve') + $scope")
    assert found == {"self", "HTTPServer", "x2", "naïve", "scope"}


def test_the_embedded_text_is_the_name_then_the_place_then_the_code() -> None:
    piece = chunk("def  run(self):\n\t\treturn 1\n", symbol="HTTPServer.run_once", header="head")
    assert embedding_text(piece, b"src/web/app.py") == (
        "http server run once in src web app\nhead def run(self): return 1"
    )
    assert embedding_text(chunk("x"), b".gitignore") == "in gitignore\nx"
    assert len(embedding_text(chunk("word " * 9_000, symbol="n" * 5_000), b"p" * 5_000)) <= 1_800


def test_words_inside_names() -> None:
    assert split_words("HTTPServer.parse_url2-now") == "http server parse url2 now"


def test_literals_vouch_for_their_inner_words_only() -> None:
    assert literal_terms("raise ValueError(msg)") >= {"valueerror", "valu", "error"}
    assert literal_terms("parse_user") == frozenset()
    assert "msg" in literal_terms("(msg)")
    assert "raise" not in literal_terms("raise ValueError(")
    assert literal_terms("検索索引") == {"検索", "索索"}


characters = st.sampled_from(list("abAB_-. 09(\n\té\u0301ß日本語は\u3099ｶ한½"))
texts = st.text(characters, max_size=40)


@settings(max_examples=600)
@given(texts, st.one_of(texts, st.text(max_size=20)), texts)
def test_a_text_that_contains_a_literal_has_its_terms(
    before: str, literal: str, after: str
) -> None:
    assert literal_terms(literal) <= text_terms(before + literal + after).keys()


@settings(max_examples=300)
@given(st.text(max_size=80))
def test_any_text_has_terms_without_white_space_that_hash(text: str) -> None:
    for term in text_terms(text):
        assert term
        assert not any(c.isspace() for c in term)
        term_hash(term)
    assert query_terms(text).keys() <= text_terms(text).keys()
