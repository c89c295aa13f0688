"""Put the real parts together: GitHub, the embedder, the analysis, the model. Decides nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sidelight import __version__
from sidelight.indexing.place import EmbedderSource
from sidelight.llm.settings import PREFIX, LlmSettings, llm_settings
from sidelight_bot.apart import analyse_apart, analyse_here, contexts_apart, contexts_here
from sidelight_bot.comment.words import Links
from sidelight_bot.github.adapter import GitHubAdapter
from sidelight_bot.github.port import GitHubPort, PostedReview
from sidelight_bot.github.transport import Patience
from sidelight_bot.ground import EmbedderOf, Ground
from sidelight_bot.payload import PayloadError
from sidelight_bot.ports import Gatherer, NotePoster, Ports, Reviewed, Reviewer
from sidelight_bot.purse import Purse
from sidelight_bot.settings import LlmInputs, NotesContext, Provider, Settings

if TYPE_CHECKING:
    from sidelight_bot.asking import Asker, Question


def default_ports(settings: Settings, embedder: EmbedderOf = EmbedderSource) -> Ports:
    """Return the parts that a job works with; tests give another embedder.

    A process of its own has the real embedder only.
    """
    is_real = embedder is EmbedderSource
    purse = Purse()
    gather = partial(contexts_apart, config=settings.config) if is_real else contexts_here
    review, post_notes = _notes(settings, purse, gather)
    return Ports(
        github=open_github,
        embedder=embedder,
        analyse=partial(analyse_apart, config=settings.config) if is_real else analyse_here,
        review=review,
        post_notes=post_notes,
        ask=partial(_asker, settings, purse),
        purse=purse,
    )


def _notes(settings: Settings, purse: Purse, gather: Gatherer) -> tuple[Reviewer, NotePoster]:
    """Return who makes notes and who posts them; without a way to a model, nobody."""
    if not (settings.llm.base_url or settings.llm.api_key):
        return (lambda *_: Reviewed()), (lambda *_: PostedReview())
    from sidelight_bot.reviewing import NoteDesk  # noqa: PLC0415 - loads what contexts are made of

    desk = NoteDesk(
        partial(model_settings, settings.llm),
        purse,
        settings.dislikes,
        gather if settings.notes_context is NotesContext.FULL else None,
    )
    return desk.review, desk.post


def _asker(settings: Settings, purse: Purse, port: GitHubPort) -> Asker:
    from sidelight_bot.asking import ask  # noqa: PLC0415 - loads what answers are made of

    def answer(ground: Ground, question: Question, links: Links) -> list[str]:
        return ask(ground, question, links, port, model_settings(settings.llm, ground), purse)

    return answer


def open_github(settings: Settings) -> GitHubPort:
    """Return the job's repository on its server.

    Raises:
        PayloadError: the job names no repository.
    """
    job = settings.job
    if job.repo is None:
        raise PayloadError("there is no repository", hint="GITHUB_REPOSITORY names it")
    return GitHubAdapter(
        job.repo,
        job.api_url,
        job.token,
        Patience(settings.patience_s),
        user_agent=f"sidelight/{__version__}",
    )


def model_settings(inputs: LlmInputs, ground: Ground) -> LlmSettings:
    """Return the model's settings: inputs of the workflow over the base's configuration."""
    provider = "" if inputs.provider is Provider.AUTO else inputs.provider.value
    environment = {
        "BASE_URL": inputs.base_url,
        "MODEL": inputs.model,
        "API_KEY": inputs.api_key,
        "PROVIDER": provider,
    }
    named = {PREFIX + name: value for name, value in environment.items()}
    return llm_settings(ground.place.config.llm, named)
