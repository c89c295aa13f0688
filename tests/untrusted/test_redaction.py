"""Values of secrets go, names and ordinary code stay, lines stay lines.

No line of this file holds a whole token: scanners, ours included, would find it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.untrusted.redaction import REDACTED, redact

MIXED = "a1B2c3D4e5F6g7H8i9J0"
HEX = "0123456789abcdef" * 4
TOKENS = (
    *("ghp_" + MIXED * 2, "gho_" + MIXED * 2, "ghs_" + MIXED * 2, "ghu_" + MIXED * 2),
    "github_pat_" + MIXED + "_" + MIXED,
    "glpat-" + MIXED,
    *("sk-" + MIXED * 2, "sk-proj-" + MIXED * 2, "sk-ant-api03-" + MIXED),
    *("sk_live_" + MIXED, "rk_live_" + MIXED, "whsec_" + MIXED * 2),
    "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "hf_" + MIXED * 2,
    "gsk_" + MIXED * 3,
    "AKIA" + "IOSFODNN7EXAMPL2",
    *("xoxb-" + "123456789012-" + MIXED, "xapp-1-" + MIXED),
    "npm_" + (MIXED * 2)[:36],
    "pypi-AgE" + MIXED * 3,
    f"SG.{MIXED}.{MIXED}",
    "SK" + HEX[:32],
    "123456789:AA" + (MIXED * 2)[:33],
    "dop_v1_" + HEX,
    "shpat_" + HEX[:32],
    "dckr_pat_" + MIXED,
    "hvs." + MIXED * 2,
    "dapi" + HEX[:32],
    f"eyJ{MIXED}.eyJ{MIXED}.{MIXED}",
    "AGE-SECRET-KEY-1" + "Q" * 58,
)
AROUND = ("{}", "token = '{}'", "see {}.", "Authorization: Bearer {}", "-{}", "x=({})")
KEY = "-----BEGIN {0}PRIVATE KEY-----\n{1}\n-----END {0}PRIVATE KEY-----"
BODY = "\n".join(["MIIEpAIBAAKCAQEA" + MIXED * 2] * 3)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token[:10])
def test_tokens_of_known_issuers(token: str, around: str) -> None:
    shown = redact(around.format(token))
    assert token not in shown
    assert MIXED[:12] not in shown
    assert REDACTED in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password = 'hunter22'", "password = '[redacted]'"),
        ('{"db_password": "correct-horse"}', '{"db_password": "[redacted]"}'),
        ("PGPASSWORD=s3cretvalue", "PGPASSWORD=[redacted]"),
        ("export API_KEY=" + MIXED, "export API_KEY=[redacted]"),
        ("secretKey: '" + MIXED + "',", "secretKey: '[redacted]',"),
        ("$config['api_key'] = '" + MIXED + "';", "$config['api_key'] = '[redacted]';"),
        ("client(token='" + MIXED + "')", "client(token='[redacted]')"),
        ('setenv("API_TOKEN", "' + MIXED + '")', 'setenv("API_TOKEN", "[redacted]")'),
        ("aws_secret_access_key = " + MIXED * 2, "aws_secret_access_key = [redacted]"),
        ("  password: hunter22x", "  password: [redacted]"),
        ("postgres://ada:hunter22@db/x", "postgres://ada:[redacted]@db/x"),
        (f"https://{MIXED}@example.org/a", "https://[redacted]@example.org/a"),
        ("redis://:hunter22@db", "redis://:[redacted]@db"),
        ("Authorization: Basic " + MIXED, "Authorization: Basic [redacted]"),
        (
            "https://hooks.slack.com/services/T0/B0/" + MIXED,
            "https://hooks.slack.com/services/[redacted]",
        ),
    ],
)
def test_values_that_are_given_to_secret_names(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "password = os.environ['DB_PASSWORD']",
        "password = getpass.getpass()",
        "password: str = field(repr=False)",
        "api_key=${API_KEY}",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "PASSWORD=<your password>",
        "password = 'changeme'",
        "password = ''",
        '<input name="password" type="password">',
        "const token = await getToken();",
        "token = tokens[0]",
        "tokenizer = 'word_piece_v2'",
        "token_type = 'refresh_token_2'",
        "access_token_url = 'https://example.org/oauth2/token'",
        "def redact(secret: str, api_key: str) -> None:",
        "SIDELIGHT_LLM_API_KEY",
        "git@github.com:owner/name.git",
        "ssh://git@example.org/x",
        "https://example.org/@user/post-123",
        "mailto:ada@example.org",
        "sk-button-primary-large-rounded",
        "ghp_short",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:" + HEX,
        "integrity sha512-" + "abc123==",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "key = 'primary_key_2'",
        "secret = 'shared secret'",
        "the bearer of this letter",
        "if password == other.password:",
    ],
)
def test_names_and_ordinary_code_stay(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("prefix", ["", "+", "    ", "> "])
def test_private_keys_keep_their_lines(kind: str, prefix: str) -> None:
    text = "\n".join(prefix + line for line in KEY.format(kind, BODY).split("\n"))
    shown = redact(f"before\n{text}\nafter")
    assert MIXED not in shown
    assert shown.count("\n") == text.count("\n") + 2
    assert shown.startswith("before\n")
    assert shown.endswith("\nafter")
    assert f"BEGIN {kind}PRIVATE KEY" in shown


def test_a_private_key_without_an_end() -> None:
    shown = redact(f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\nwords that follow\n")
    assert MIXED not in shown
    assert "words that follow" in shown


def test_a_private_key_in_one_line() -> None:
    text = 'key = "' + KEY.format("", BODY).replace("\n", "\\n") + '"'
    assert MIXED not in redact(text)


def test_exact_values_that_are_known() -> None:
    shown = redact("the word is opensesame, not sesame", ["sesame", "opensesame", "x"])
    assert shown == "the word is [redacted], not [redacted]"


def test_our_own_sources_are_left_alone() -> None:
    root = Path(__file__).resolve().parents[2] / "src" / "sidelight"
    changed = [
        path.name for path in root.rglob("*.py") if redact(text := path.read_text("utf-8")) != text
    ]
    assert changed == []


PARTS = st.sampled_from(
    [
        *TOKENS,
        "password",
        " = ",
        "'",
        '"',
        "\n",
        "://",
        "@",
        ":",
        "user",
        REDACTED,
        MIXED,
        "Bearer ",
    ]
)


@given(st.lists(PARTS, max_size=10).map("".join) | st.text(max_size=60))
@settings(max_examples=400, deadline=None)
def test_redacting_twice_is_redacting_once_and_lines_stay(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert once.count("\n") == text.count("\n")


def test_redacting_takes_no_time_that_grows_with_the_square() -> None:
    for unit in (
        "password",
        "a://",
        "eyJ",
        "a:b@",
        "-----BEGIN PRIVATE KEY-----",
        "token='",
        "sk-",
    ):
        redact(unit * (100_000 // len(unit)))
