"""What is sent to a model, and what is made of its answer, for every item of the hostile corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.modelserver import ModelServer, Request
from helpers.workspace import Workspace
from hostile.corpus import PLACES, Item, load_corpus
from sidelight.answering.answer import answer_question
from sidelight.answering.model import AnswerOptions, Focus, Mode, Question, Turn
from sidelight.answering.prompts import NO_ANSWER, SYSTEM
from sidelight.untrusted.incoming import is_hidden, new_nonce
from sidelight.untrusted.outgoing import clean_outgoing
from sidelight_bot.notes.grouping import HunkGroup
from sidelight_bot.notes.prompts import review_prompt

ASKED = "Where are widgets made?"
OPTIONS = AnswerOptions(gate=None)
WIDGETS = "def make_widget(name):\n    return {'widget': name}\n"
FENCE = re.compile(r'<untrusted id="(\w+)" what="([^"]*)">\n(.*?)\n</untrusted id="\1">', re.DOTALL)


def ids(item: Item) -> str:
    return f"{item.id}: {item.technique}"


def items(*places: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("item", load_corpus(*places), ids=ids)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return an index of a repository that holds every hostile file."""
    files = {file_of(item): item for item in load_corpus("code", "path")}
    texts = {p: WIDGETS if i.place == "path" else i.text + "\n" for p, i in files.items()}
    return indexed(tmp_path_factory.mktemp("hostile"), texts)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return an index of a repository that nobody has touched."""
    return indexed(tmp_path_factory.mktemp("clean"), {b"src/widgets.py": WIDGETS})


def indexed(folder: Path, texts: dict[bytes, str]) -> Workspace:
    repo = GitRepo.init(folder / "repo")
    for path, text in texts.items():
        repo.write(path, text)
    repo.commit("Add widgets")
    work = Workspace.at(repo)
    work.refresh()
    return work


def file_of(item: Item) -> bytes:
    name = item.text if item.place == "path" else f"{item.id}.py"
    return f"src/{name}".encode()


def question_of(item: Item) -> Question:
    """Return a question in which the item stands where it belongs."""
    if item.place == "question":
        return Question(item.text)
    if item.place in {"code", "path"}:
        return Question(ASKED, focus=Focus(file_of(item), 1))
    if item.place == "diff":
        return Question(ASKED, diff=item.text, hunk=item.text)
    return Question(ASKED, thread=(Turn(item.text, author="eve"), Turn(item.text, ours=True)))


def sent(work: Workspace, server: ModelServer, question: Question) -> Request:
    """Return the request that the question makes."""
    before = len(server.requests)
    server.say(NO_ANSWER)
    answer_question(work.place, work.view, question, server.model(), OPTIONS)
    assert len(server.requests) == before + 1
    return server.requests[-1]


def check_text(item: Item, text: str) -> None:
    assert [words for words in item.gone if words in text] == []
    assert [words for words in item.kept if words not in text] == []
    assert [hex(ord(c)) for c in text if is_hidden(c)] == []


def check_fences(text: str) -> None:
    """Assert that every word stands in a fence of the one nonce, but for lines between them."""
    found = FENCE.findall(text)
    assert len({nonce for nonce, _, _ in found}) == 1
    assert text.count(found[0][0]) == 2 * len(found)
    assert len(re.findall(r"<\s*/?\s*untrusted", text, re.IGNORECASE)) == 2 * len(found)
    assert FENCE.sub("", text).strip() == ""


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    corpus = load_corpus()
    assert len(corpus) >= 60
    assert len({item.id for item in corpus}) == len(corpus)
    assert len({item.text for item in corpus}) == len(corpus)
    counts = Counter(item.place for item in corpus)
    assert all(counts[place] >= 5 for place in PLACES)
    assert counts.keys() == set(PLACES)


@items("title", "body", "thread", "question", "diff", "code", "path")
def test_what_a_question_sends(
    work: Workspace, hostile: Workspace, server: ModelServer, item: Item
) -> None:
    place = hostile if item.place in {"code", "path"} else work
    request = sent(place, server, question_of(item))
    system, user = (message["content"] for message in request.body["messages"])
    check_text(item, request.prompt)
    check_fences(user)
    nonce = FENCE.search(user)[1]  # type: ignore[index]
    assert system == SYSTEM.format(nonce=nonce, no_answer=NO_ANSWER)
    assert "tools" not in request.body


@items("title", "body")
def test_what_a_review_sends(item: Item) -> None:
    title, body = (item.text, "") if item.place == "title" else ("A change", item.text)
    nonce = new_nonce()
    system, user = review_prompt(HunkGroup((), 0), "", title, body, nonce)
    kept = tuple(words for words in item.kept if words not in {"hunter22"})
    unredacted = {"token", "password", "credentials in an address"}  # the client sees to those
    if item.technique not in unredacted:
        check_text(Item(**{**vars(item), "kept": kept}), user)
    check_fences(user.removesuffix("Report the defects that this change brings in."))
    assert item.text not in system


@items("model")
def test_what_is_made_of_an_answer(work: Workspace, server: ModelServer, item: Item) -> None:
    server.say(item.text)
    answer = answer_question(work.place, work.view, Question(ASKED), server.model(), OPTIONS)
    posted = clean_outgoing(answer.text, frozenset())
    assert [words for words in item.gone if words in posted] == []
    assert [hex(ord(c)) for c in answer.text if is_hidden(c)] == []
    if answer.mode is Mode.MODEL:
        assert [words for words in item.kept if words not in answer.text] == []
        assert answer.citations
    else:
        assert item.kept == ()


def test_a_repository_of_hostile_files_is_still_searched(hostile: Workspace) -> None:
    answer = answer_question(hostile.place, hostile.view, Question(ASKED), None, OPTIONS)
    assert answer.found
    assert any(b"widget" in source.text.encode() for source in answer.citations)
