"""Calls outside the diff that no longer fit: found where they are, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from findings.story import findings_of, only, places
from sidelight.findings import FindingKind

KIND = FindingKind.SIGNATURE
CORE = "def send(host, port):\n    return host, port\n"
APP = "from core import send\n\n\ndef start():\n    return send('a', 1)\n"


@pytest.mark.parametrize("index_base", [False, True])
def test_a_new_required_parameter_breaks_calls_of_either_indexed_side(
    tmp_path: Path, index_base: bool
) -> None:
    after = {"core.py": "def send(host, port, retries):\n    return host, port, retries\n"}
    found = findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after, index_base=index_base)
    finding = only(found, KIND)
    assert places(finding) == ["app.py:5 lacks the required `retries`"]
    assert finding.message == (
        "`send` now requires `retries`: 1 call outside the diff no longer fits"
    )
    assert finding.evidence[0].text == "return send('a', 1)"


def test_a_call_that_the_diff_adapts_is_not_shown(tmp_path: Path) -> None:
    after = {
        "core.py": "def send(host, port, retries):\n    return host, port, retries\n",
        "app.py": APP.replace("send('a', 1)", "send('a', 1, 2)"),
    }
    assert findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after).of(KIND) == ()


def test_an_optional_parameter_breaks_nothing(tmp_path: Path) -> None:
    after = {"core.py": "def send(host, port, retries=3):\n    return host, port, retries\n"}
    assert findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after).of(KIND) == ()


def test_a_removed_keyword_breaks_the_calls_that_pass_it(tmp_path: Path) -> None:
    before = {
        "core.py": "class Client:\n    def __init__(self, app=None, proxy=None):\n        pass\n",
        "app.py": "import core\n\nx = core.Client(app=1)\ny = core.Client()\n",
    }
    after = {"core.py": "class Client:\n    def __init__(self, proxy=None):\n        pass\n"}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert places(finding) == ["app.py:3 passes `app`, which it does not take"]
    assert finding.symbol == "Client.__init__"


def test_an_argument_that_silently_means_another_parameter_is_shown(tmp_path: Path) -> None:
    before = {
        "core.py": "def stop(error=None):\n    pass\n",
        "app.py": "from core import stop\n\nstop(ValueError())\nstop()\nstop(error=1)\n",
    }
    after = {"core.py": "def stop(ctx=None, error=None):\n    pass\n"}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert places(finding) == ["app.py:3 argument 1 was `error` and is now `ctx`"]
    assert "may mean another parameter" in finding.message


def test_a_call_that_never_fitted_is_of_something_else(tmp_path: Path) -> None:
    before = {"core.py": CORE, "app.py": APP.replace("send('a', 1)", "send()")}
    after = {"core.py": "def send(host, port, retries):\n    return host\n"}
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_a_decorated_function_may_take_anything(tmp_path: Path) -> None:
    def core(parameters: str) -> str:
        return f"from deco import inject\n\n\n@inject\ndef send({parameters}):\n    pass\n"

    before = {"core.py": core("host, port"), "app.py": APP}
    assert findings_of(tmp_path, before, {"core.py": core("h, p, more")}).of(KIND) == ()


def test_overloads_fit_if_one_of_them_does(tmp_path: Path) -> None:
    before = {
        "A.java": "class A { static void f(int a) {} static void g() {} }",
        "B.java": "class B { void h() { A.f(1); } }",
    }
    after = {
        "A.java": "class A { static void f(int a) {}\n static void f(int a, int b) {}"
        " static void g() {} }"
    }
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_go_methods_are_checked_by_the_receivers_type(tmp_path: Path) -> None:
    before = {
        "go.mod": "module example.com/x\n",
        "s.go": "package x\n\ntype S struct{}\n\nfunc (s *S) Run(a int) {}\n",
        "t.go": "package x\n\nfunc Go() {\n\ts := &S{}\n\ts.Run(1)\n}\n",
    }
    after = {"s.go": before["s.go"].replace("a int", "a int, b string")}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert places(finding) == ["t.go:5 lacks the required `b`"]


def test_a_default_in_the_header_counts(tmp_path: Path) -> None:
    before = {
        "a.h": "int f(int a);\n",
        "a.cpp": '#include "a.h"\nint f(int a) { return a; }\n',
        "b.cpp": '#include "a.h"\nint g() { return f(1); }\n',
    }
    after = {
        "a.h": "int f(int a, int b = 0);\n",
        "a.cpp": '#include "a.h"\nint f(int a, int b) { return a + b; }\n',
    }
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_javascript_says_that_calls_pass_what_it_took_before(tmp_path: Path) -> None:
    before = {
        "core.js": "export function send(host, port) { return [host, port]; }\n",
        "app.js": "import { send } from './core.js';\n\nsend(1, 2);\n",
    }
    after = {"core.js": "export function send(host) { return host; }\n"}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert "still passes what it took before" in finding.message
    assert finding.confidence < 0.8
