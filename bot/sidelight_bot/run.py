"""One job, from its event to what it leaves behind. Reads no environment and prints nothing.

    event → plan → ground (pinned, indexed) → report → comment, notes | answer | result

What fails on the way to a better comment leaves the lesser one: no model, no notes; no right to
write, a result for `publish`. What was found always reaches the step summary.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic

from sidelight.errors import ExitCode, SidelightError, StorageError
from sidelight_bot.comment import render_comment
from sidelight_bot.disliking import collect_dislikes
from sidelight_bot.events import CommentMade, Event
from sidelight_bot.github.errors import GitHubError, ReadOnlyTokenError
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.ground import Ground, explain, index_branch, open_ground
from sidelight_bot.indexreport import IndexReport
from sidelight_bot.jobevent import read_event
from sidelight_bot.listing import with_listed_files
from sidelight_bot.model import PullRequest
from sidelight_bot.outcome import Outcome, annotations_of, index_info, told_of
from sidelight_bot.outputs import annotation_line, write_outputs, write_result, write_summary
from sidelight_bot.payload import PayloadError
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.planning import (
    Acknowledge,
    AnswerCommands,
    IndexBranch,
    Plan,
    PublishRun,
    ReviewPull,
    Step,
    asker,
    plan_event,
)
from sidelight_bot.ports import Ports, Reviewed
from sidelight_bot.posting import Fate, Sticky, draft_of, put_sticky
from sidelight_bot.publish import publish_result
from sidelight_bot.report import ChangeReport, Stage
from sidelight_bot.settings import CommentPolicy, FailOn, Settings

NO_REVIEW = "The review could not be finished: the job's log says why."
IN_SUMMARY = "The result is in the job's summary."
NO_INDEX = "The index could not be made: the log of the indexing step says why."


def run_job(settings: Settings, ports: Ports | None = None) -> Outcome:
    """Do what the job's event asks for, and leave outputs and a step summary.

    Raises:
        SidelightError: the job is not one that can be run (no event, no repository named), or
            something failed and `fail-on` is `error`.
    """
    run = _Run(settings, ports or _default_ports(settings))
    try:
        run.act()
    except SidelightError as error:
        run.fail(error)
    outcome = run.outcome
    write_summary(settings.job.step_summary, "\n\n".join(outcome.summary) + "\n")
    write_outputs(settings.job.output, outcome.outputs())
    return outcome


class _Run:
    """One run: its settings, its ports, and what it has done so far."""

    def __init__(self, settings: Settings, ports: Ports) -> None:
        self.settings = settings
        self.ports = ports
        self.outcome = Outcome()
        self._port: GitHubPort | None = None
        self._ground: Ground | None = None
        self._pull: PullRequest | None = None
        self._report: ChangeReport | None = None
        self._review_told = ""

    @property
    def port(self) -> GitHubPort:
        """GitHub, from the first request on."""
        if self._port is None:
            self._port = self.ports.github(self.settings)
        return self._port

    def act(self) -> None:
        """Read the event, plan, and take the steps."""
        event = read_event(self.settings)
        plan = self._plan(event)
        if not plan.steps:
            self.tell(plan.reason)
        for step in plan.steps:
            try:
                self._take(step)
            except SidelightError as error:
                if step == plan.steps[-1]:
                    raise
                self.fail(error)  # who asked gets an answer all the same
        if self._port is not None:
            self.outcome.log.append(f"{self._port.n_requests} requests to GitHub")

    def tell(self, text: str) -> None:
        """Say something of ours in log and summary."""
        self.outcome.log.append(text)
        self.outcome.summary.append(f"Sidelight: {text}")

    def fail(self, error: SidelightError) -> None:
        """Take note of what went wrong; the job fails only where that is asked for."""
        told = explain(error)
        self.outcome.log.append(f"error: {told}")
        self.outcome.problems.append(told)
        self.outcome.summary.append("Sidelight could not finish: the job's log says why.")
        is_usage = error.exit_code is ExitCode.USAGE or isinstance(error, PayloadError)
        if is_usage or self.settings.fail_on is FailOn.ERROR:
            self.outcome.exit_code = error.exit_code

    def _plan(self, event: Event) -> Plan:
        login = asker(event, self.settings)
        permission = self.port.permission(login) if login else None
        return plan_event(event, self.settings, permission)

    def _take(self, step: Step) -> None:
        if isinstance(step, IndexBranch):
            self._show_index(index_branch(self.settings, step.commit, self.ports.embedder))
            self._collect_dislikes()
        elif isinstance(step, Acknowledge):
            self._acknowledge(step)
        elif isinstance(step, ReviewPull):
            self._review(step)
        elif isinstance(step, AnswerCommands):
            self._answer(step)
        else:
            self._publish(step)

    def _acknowledge(self, step: Acknowledge) -> None:
        try:
            self.port.react(step.comment_id, "eyes", in_thread=step.in_thread)
        except GitHubError as error:  # nobody's answer waits for a reaction
            self.outcome.log.append(f"no reaction: {explain(error)}")

    def _collect_dislikes(self) -> None:
        place = self.settings.dislikes
        if place is None or not self.settings.job.token:
            return
        try:
            found = collect_dislikes(self.port, place)
        except (GitHubError, StorageError) as error:  # the index counts, this can wait
            self.outcome.log.append(f"no feedback was read: {explain(error)}")
        else:
            self.outcome.log.append(f"{found} notes were turned down since")

    # -- the change ---------------------------------------------------------------------------

    def _open(self, number: int, pull: PullRequest | None) -> Ground:
        if self._ground is None:
            found = pull or self._pull or self.port.pull(number)
            self._ground = open_ground(self.settings, found, self.port, self.ports.embedder)
            pin = self._ground.pin
            self._pull = replace(found, base_sha=pin.base, head_sha=pin.head)
            self._show_index(self._ground.index)
        return self._ground

    def _show_index(self, index: IndexReport) -> None:
        self.outcome.index = index
        self.outcome.log.append(
            f"index: {index.state}, cache {index.cache}, {index.parsed} files parsed,"
            f" {index.embedded} chunks embedded, {index.pending} pending"
        )

    def _analysed(self) -> ChangeReport:
        """Return the report on the change; made once, by whatever needs it first."""
        ground, pull = self._ground, self._pull
        if self._report is None and ground is not None and pull is not None:
            started = monotonic()
            report = self.ports.analyse(ground, pull.title, self.settings.related_limit)
            stages = (
                *(Stage(name, seconds) for name, seconds in ground.index.seconds.items()),
                *(report.stages or (Stage("analysis", round(monotonic() - started, 3)),)),
            )
            self._report = replace(
                report,
                repo=self._slug,
                number=pull.number,
                index=index_info(ground.index),
                stages=stages[:20],
                run=self.settings.job.order,
            )
            if not report.merge_base:
                self._report = with_listed_files(self._report, self.port)
        if self._report is None:
            raise SidelightError("there is no change to look at")
        return self._report

    def _review(self, step: ReviewPull) -> None:
        ground = self._open(step.number, step.pull)
        pull = self._pull
        if pull is None or not ground.is_indexed:
            self._review_told = NO_INDEX
            self.outcome.problems.append(NO_INDEX)
            self.tell(NO_INDEX)
            return
        report = self._with_notes(self._analysed(), ground, pull)
        self.outcome.n_related, self.outcome.n_notes = report.n_items, len(report.notes)
        self.outcome.result = write_result(self._result_place(), report)
        self.outcome.summary.append(told_of(report))
        self._post(report, ground, asked=step.asked)
        self._report = report

    def _with_notes(self, report: ChangeReport, ground: Ground, pull: PullRequest) -> ChangeReport:
        limit = self.settings.notes_limit
        if not limit or not report.merge_base:
            return report
        started = monotonic()
        try:
            found = self.ports.review(ground, pull, self.port, limit)
        except SidelightError as error:  # whatever a model does, the rest of the comment stands
            found = Reviewed(problems=(explain(error),))
        self.outcome.log += [f"notes: {problem}" for problem in found.problems]
        if found.usage is None and not found.notes:
            return report
        stage = Stage("notes", round(monotonic() - started, 3))
        stages = (*report.stages, stage)[:20]
        remarks = (*found.remarks, *report.remarks)[:20]
        notes = found.notes[:limit]
        return replace(report, notes=notes, usage=found.usage, stages=stages, remarks=remarks)

    def _result_place(self) -> Path | None:
        given, temp = self.settings.result, self.settings.job.temp
        return given or (temp / "sidelight-result.json" if temp else None)

    def _post(self, report: ChangeReport, ground: Ground, *, asked: bool) -> None:
        links = self._links(report.head)
        whole = render_comment(report, links, always=True) or ""
        if self.settings.comment is CommentPolicy.NEVER:
            self._review_told = IN_SUMMARY
            self.outcome.summary.append(whole)
            return
        try:
            self._post_all(report, links, ground, asked=asked)
        except ReadOnlyTokenError:
            self._review_told = IN_SUMMARY
            self.tell("this token may not write: the result is below, and kept for publishing")
            self.outcome.summary.append(whole)
            self.outcome.commands += [annotation_line(item) for item in annotations_of(report)]
        except GitHubError:
            self.outcome.summary.append(whole)
            raise

    def _post_all(
        self, report: ChangeReport, links: Permalinks, ground: Ground, *, asked: bool
    ) -> None:
        placed: frozenset[str] = frozenset()
        posted = self.ports.post_notes(self.port, report, links, ground)
        if posted.posted:
            bodies = {note.body for note in posted.posted}
            placed = frozenset(
                note.anchor for note in report.notes if any(note.anchor in b for b in bodies)
            )
        always = asked or self.settings.comment is CommentPolicy.ALWAYS
        spent = self.ports.purse.unwritten
        draft = draft_of(report, links, placed, always=always, spent=spent)
        sticky = put_sticky(self.port, draft)
        if sticky.fate in {Fate.CREATED, Fate.UPDATED}:
            self.ports.purse.wrote(spent)
        self._tell_fate(sticky, report)

    def _tell_fate(self, sticky: Sticky, report: ChangeReport) -> None:
        self.outcome.comment_url = sticky.url
        self.tell(f"the comment is {sticky.fate.value}")
        if sticky.fate is Fate.OUTDATED:
            self._review_told = "The head has moved since: the newer commit is looked at instead."
            return
        where = f"[the comment]({sticky.url})" if sticky.url else "the job's summary"
        found = f"{report.n_items} pieces of related code, {len(report.notes)} notes"
        self._review_told = f"Reviewed at `{report.head[:10]}`: {found}; see {where}."

    def _links(self, head: str) -> Permalinks:
        return Permalinks(self.settings.job.server_url, self._slug, head)

    @property
    def _slug(self) -> str:
        return self.settings.job.repo.slug if self.settings.job.repo else ""

    # -- answers and results ------------------------------------------------------------------

    def _answer(self, step: AnswerCommands) -> None:
        from sidelight_bot.replies import (  # noqa: PLC0415 - loads what answers are made of
            Reply,
            needs_ground,
            write_reply,
        )

        event = step.event
        pull = self._pull or event.pull
        if needs_ground(step.commands):
            try:
                self._open(event.number, pull)
            except SidelightError as error:  # each command says so for itself
                self.fail(error)
            pull = self._pull or pull
        if pull is None:
            pull = _unseen(event)
        if not event.is_open:
            self._review_told = "This pull request is closed: it is not reviewed any more."
        reply = Reply(
            ground=self._ground,
            pull=pull,
            event=event,
            links=self._links(pull.head_sha),
            report=self._analysed,
            asker=self.ports.ask(self.port),
            spent=lambda: self.ports.purse.unwritten,
            review=self._review_told or NO_REVIEW,
        )
        body = write_reply(reply, step.commands)
        try:
            self.outcome.comment_url = self._send(event, body)
        except ReadOnlyTokenError:  # forks' review threads: their token may only read
            self.tell("this token may not write: the answer is below")
            self.outcome.summary.append(body)

    def _send(self, event: CommentMade, body: str) -> str:
        if event.thread is not None:
            return self.port.reply(event.number, event.thread.top_comment_id, body).url
        return self.port.create_comment(event.number, body).url

    def _publish(self, step: PublishRun) -> None:
        published = publish_result(self.settings, step.event, self.port)
        self.outcome.n_related = published.report.n_items
        self.outcome.n_notes = len(published.report.notes)
        self._tell_fate(published.sticky, published.report)


def _unseen(event: CommentMade) -> PullRequest:
    """Return a stand-in where only the number of a pull request matters."""
    state = "open" if event.is_open else "closed"
    return PullRequest(event.number, "", "", "", False, state, "", "", "", None, False, "")


def _default_ports(settings: Settings) -> Ports:
    from sidelight_bot.wiring import default_ports  # noqa: PLC0415 - loads PyGithub

    return default_ports(settings)
