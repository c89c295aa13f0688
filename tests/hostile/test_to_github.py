"""What is written to GitHub, for every item of the hostile corpus, by jobs against the double.

The model is the worst there could be: it repeats what strangers wrote, word for word, as its answer
and as its notes. Whatever arrives is read as GitHub reads it, by a CommonMark parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from helpers.githubdouble import payloads
from helpers.githubdouble.jobs import CHANGED, Lab, Shop
from helpers.githubdouble.server import GitHubDouble
from helpers.githubdouble.state import BOT
from helpers.gitrepo import GitRepo
from helpers.modelserver import ModelServer, Request
from hostile.corpus import PLACES, Item, load_corpus
from sidelight.untrusted.incoming import is_hidden
from sidelight.untrusted.outgoing import BREAK
from sidelight_bot.notes.model import Evidence, Note, Side
from sidelight_bot.notes.posting import render_note
from sidelight_bot.notes.schema import Kind, Severity

OWN_HTML = re.compile(
    r"<!-- sidelight:[^<>]* -->|<details><summary>(?:<code>[^<>]*</code>|[^<>@#]*)</summary>"
    r"|</details>|<sub>|</sub>"
)
AT_ONCE = 5  # commands of one comment
CALLER = (
    "from store import convert\n\n\ndef use_it(item):\n    {}\n    return convert(item, 'eur')\n"
)


def bundles(*places: str) -> list[list[Item]]:
    found = load_corpus(*places)
    return [found[at : at + AT_ONCE] for at in range(0, len(found), AT_ONCE)]


def ids(items: list[Item]) -> str:
    return f"{items[0].id}..{items[-1].id}"


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def check_harmless(text: str, home: str) -> None:
    """Assert that a text calls, links, shows and starts nothing; `home` begins our links."""
    reader = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    assert reader.linkify is not None
    reader.linkify.set({"fuzzy_link": False})  # GitHub makes no link of `name.py`
    tokens = list(flat(reader.parse(text)))
    runs = [""]
    for token in tokens:
        assert token.type != "image", text
        if token.type in {"html_block", "html_inline"}:
            assert OWN_HTML.sub("", token.content).strip() == "", token.content
        if token.type == "fence":
            assert token.info not in {"suggestion", "mermaid", "math", "geojson"}, token.info
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith(home), token.attrs["href"]
        if token.type in {"text", "text_special"}:
            runs[-1] += token.content
        elif token.type != "inline":
            runs.append("")
    for run in runs:
        assert not re.search(r"@[A-Za-z0-9]|#\d|(?i:\bgh)-\d|(?i:https?://|www\.)\w", run), run
    for line in text.split("\n"):
        assert not re.match(r"[ \t]*/[A-Za-z][\w-]*(?:[ \t]|$)", line), line
    assert [hex(ord(c)) for c in text if is_hidden(c) and c != BREAK] == []
    assert "\x1b" not in text


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop.build(tmp_path_factory.mktemp("shop"))


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    with GitHubDouble(shop.origin(tmp_path)) as double:
        made = Lab.make(tmp_path, double)
        made.hub.person("maya", "write")
        made.hub.open_pull(made.head, author="eve", title="Convert at a day's rate")
        yield made


def sendable(item: Item) -> str:
    """Return the item's text as JSON can carry it: halves of characters are replaced."""
    return item.text.encode("utf-8", "replace").decode("utf-8")


def check_all(lab: Lab) -> list[str]:
    """Return everything that the bot wrote, found harmless; outputs and log are lines of ours."""
    home = f"{lab.double.web}/octo/demo/blob/"
    bodies = [r.body for r in lab.hub.remarks if r.author.login == BOT]
    for body in bodies:
        check_harmless(body, home)
    assert set(lab.outputs()) <= {
        *("comment-url", "result", "related", "notes"),
        *("index-state", "cache-hit", "files-reindexed"),
    }
    return bodies


def test_every_place_of_the_corpus_is_tried_here() -> None:
    assert set(PLACES) == {*SAID, "code", "path"}


SAID = ("title", "body", "thread", "question", "diff", "model")


@pytest.mark.parametrize("items", bundles(*SAID), ids=ids)
def test_an_answer_that_repeats_it_is_harmless(lab: Lab, items: list[Item]) -> None:
    asked = [
        " ".join(item.text.split())
        if item.place == "question"
        else f"where does convert use RATES? ({at})"
        for at, item in enumerate(items)
    ]
    pull = lab.hub.pulls[1]
    for item in items:
        text = sendable(item)
        if item.place == "title":
            pull.title = text
        elif item.place == "body":
            pull.body = text
        elif item.place == "thread":
            lab.hub.say(1, "eve", text)
    n_asked = iter(range(len(items)))

    def parrot(_: Request) -> str:
        item = items[next(n_asked)]
        text = sendable(item)
        return text if item.place == "model" else f"By `RATES` [1].\n\n{text}\n\n[1]"

    with ModelServer() as server:
        server.say_with(parrot)
        remark = lab.hub.say(1, "maya", "\n\n".join(f"/ask {question}" for question in asked))
        payload = payloads.issue_comment(lab.hub, remark)
        lab.run("issue_comment", payload, **server.environment())
        n_answers = len(server.requests)
    assert n_answers >= 1 or items[0].place == "question"  # not every one of these finds code
    _mark, _, reply = check_all(lab)[-1].partition("\n")
    for item in items[:n_answers]:
        if item.place == "model":
            assert [words for words in item.gone if words in reply] == [], item.id


@pytest.mark.parametrize("items", bundles("code", "path"), ids=ids)
def test_a_comment_on_hostile_files_is_harmless(tmp_path: Path, items: list[Item]) -> None:
    origin = GitRepo.init(tmp_path / "origin")
    origin.write("store.py", CHANGED.replace(", day)", ")"))
    for item in items:
        name = item.text if item.place == "path" else f"{item.id}.py"
        text = "pass" if item.place == "path" else item.text.replace("\n", "\n    ")
        origin.write(f"src/{name}".encode(), CALLER.format(f"'''{text}'''"))
    origin.commit("Add callers")
    origin.switch("topic", "-c")
    origin.write("store.py", CHANGED)
    origin.commit("Convert at a day's rate")
    origin.switch("main")
    with GitHubDouble(origin) as double:
        lab = Lab.make(tmp_path, double)
        lab.hub.open_pull(lab.head, author="eve", title=items[0].text)
        payload = payloads.pull_request(lab.hub, lab.hub.pulls[1])
        lab.run("pull_request", payload, SIDELIGHT_COMMENT="always", SIDELIGHT_RELATED_LIMIT="20")
        (comment,) = check_all(lab)
        check_harmless(lab.left("summary.md"), f"{double.web}/octo/demo/blob/")
    assert comment.count("src/") >= len(items) - 1  # a name with control characters is not shown


@pytest.mark.parametrize("item", load_corpus(), ids=lambda item: item.id)
def test_a_note_that_repeats_it_is_harmless(item: Item) -> None:
    note = Note(
        path="src/a.py",
        line=3,
        start_line=None,
        side=Side.RIGHT,
        severity=Severity.MAJOR,
        kind=Kind.BUG,
        title=item.text[:120],
        body=item.text,
        suggestion=None,
        evidence=(Evidence("src/b.py", 1, 2, item.text[:160]),),
        anchor="0" * 16,
        quote="0" * 16,
    )
    home = "https://github.com/octo/demo/blob/"
    text = render_note(note, lambda path, start, _end: f"{home}{path}#L{start}")
    check_harmless(text, home)
