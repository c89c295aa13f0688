"""Blank out secrets in text that goes to a model or comes back. Pure.

Only values: the name of a variable, a header or a user says what code does and stays. Lines stay
lines, so that line numbers hold.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

REDACTED = "[redacted]"
MIN_EXACT = 6  # characters of a known secret; a shorter one would blank out ordinary words

# Tokens that their form gives away, one alternative per issuer.
_TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    + "|".join(
        (
            r"gh[pousr]_[A-Za-z0-9]{30,}+",  # GitHub
            r"github_pat_[A-Za-z0-9_]{22,}+",
            r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,}+",  # GitLab
            r"sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,}+",  # OpenAI, Anthropic, …
            r"(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}+",  # Stripe
            r"whsec_[A-Za-z0-9+/=]{24,}+",
            r"AIza[A-Za-z0-9_-]{35}",  # Google
            r"GOCSPX-[A-Za-z0-9_-]{28}",
            r"ya29\.[A-Za-z0-9_-]{20,}+",
            r"hf_[A-Za-z0-9]{30,}+",  # Hugging Face
            r"gsk_[A-Za-z0-9]{40,}+",  # Groq
            r"xai-[A-Za-z0-9]{40,}+",
            r"r8_[A-Za-z0-9]{37}",  # Replicate
            r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",  # AWS
            r"xox[abeoprs]-[A-Za-z0-9-]{10,}+",  # Slack
            r"xapp-\d-[A-Za-z0-9-]{20,}+",
            r"npm_[A-Za-z0-9]{36}",
            r"pypi-AgE[A-Za-z0-9_-]{50,}+",
            r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{16,}+",  # SendGrid
            r"SK[0-9a-f]{32}(?![A-Za-z0-9])",  # Twilio
            r"key-[0-9a-f]{32}(?![A-Za-z0-9])",  # Mailgun
            r"\d{8,10}:AA[A-Za-z0-9_-]{33}",  # Telegram
            r"do[opr]_v1_[0-9a-f]{64}",  # DigitalOcean
            r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",  # Shopify
            r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}+",  # Docker
            r"hvs\.[A-Za-z0-9_-]{24,}+",  # Vault
            r"dapi[0-9a-f]{32}",  # Databricks
            r"lin_api_[A-Za-z0-9]{40}",
            r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
            r"eyJ[A-Za-z0-9_-]{8,4000}+\.eyJ[A-Za-z0-9_-]{4,4000}+\.[A-Za-z0-9_-]*+",  # JWT
        )
    )
    + r")[\w-]*+"  # and what is glued to it
)
_WEBHOOK = re.compile(
    r"(https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/)"
    r"[A-Za-z0-9_/-]++"
)
# What follows a scheme up to the at sign: `user:password@`, or a token alone.
_URL = re.compile(
    r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,30}://)"
    r"(?:([^\s:/@?#'\"<>]{0,200}:)([^\s/@'\"<>]{1,500})|([^\s:/@?#'\"<>]{20,500}))(?=@)"
)
_HEADER = re.compile(
    r"(?i)(authorization['\"]?\s{0,5}[:=]\s{0,5}['\"]?(?:bearer|basic|token)\s{1,5}|\bbearer\s{1,5}"
    r"(?=[^\s'\"]*\d))([A-Za-z0-9._~+/=-]{16,})"
)
_OF_PASSWORDS = r"(?:password|passwd|passphrase|pwd)"
_OF_KEYS = (
    r"(?:secret|token|credentials?|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key"
    r"|private[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key)"
)
_ASSIGNED = re.compile(
    rf"(?i)(?<![A-Za-z0-9])((?:[\w.-]{{0,60}}?)(?:({_OF_PASSWORDS})|{_OF_KEYS})\d{{0,2}}['\"]?\]?"
    r"\s{0,20}(?::=|=>|[:=]|,)\s{0,20}(?:[rbuf]{1,2})?)"
    r"(?:(\"|'|`)([^\s\"'`]{6,500})\3|([A-Za-z0-9+/_=.~!@%^&*$-]{8,500})(?=\s*$))",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:[<{$%\[(].*|.*(?:\$\{|\{\{|%\(|<[a-z]).*|(.)\1*|your.*|.*(?:example|placeholder|"
    r"change.?me|dummy|redacted|secrets\.|environ|getenv|process\.env).*|\*+|\.+|none|null|true|"
    r"false|undefined|pass(?:word|wd|phrase)?\d?)$"
)
_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
MAX_KEY = 20_000  # characters of a private key
_KEY_LINES = re.compile(r"(?:[ \t+>|\"'-]*[A-Za-z0-9+/=]{16,}[\\nr\"', +;]*(?:\n|$))+")
MIN_ENTROPY = 3.0  # bits a character; English identifiers of this length lie about it, so digits
# and letters are asked for as well


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Return the text with the values of secrets as `[redacted]`. Idempotent.

    Secrets are tokens of known issuers, private keys, JSON Web Tokens, credentials in URLs and
    headers, values given to what is named a password, key, token or secret, and the exact values in
    `known`. Placeholders (`<token>`, `${TOKEN}`, `changeme`) stay.
    """
    for secret in sorted(known, key=len, reverse=True):
        if len(secret) >= MIN_EXACT:
            text = text.replace(secret, REDACTED)
    text = _without_private_keys(text)
    text = _TOKENS.sub(REDACTED, text)
    text = _WEBHOOK.sub(rf"\1{REDACTED}", text)
    text = _URL.sub(_url, text)
    text = _HEADER.sub(rf"\1{REDACTED}", text)
    return _ASSIGNED.sub(_assignment, text)


def _url(match: re.Match[str]) -> str:
    scheme, user, password, token = match.groups()
    if password is not None:
        return match[0] if _PLACEHOLDER.match(password) else f"{scheme}{user}{REDACTED}"
    return match[0] if not _is_random(token) else f"{scheme}{REDACTED}"


def _assignment(match: re.Match[str]) -> str:
    start, password, quote, quoted, bare = match.groups()
    value = quoted if quoted is not None else bare
    if _PLACEHOLDER.match(value):
        return match[0]
    if not _is_random(value) and (password is None or quoted is None or value in start):
        return match[0]
    return f"{start}{quote}{REDACTED}{quote}" if quote else f"{start}{REDACTED}"


def _is_random(value: str) -> bool:
    """Return whether a value is too mixed to be a word or a name."""
    if len(value) < 8 or not any(c.isdigit() for c in value) or not any(c.isalpha() for c in value):
        return False
    counts = Counter(value).values()
    entropy = -math.fsum(n / len(value) * math.log2(n / len(value)) for n in counts)
    return entropy >= min(MIN_ENTROPY, math.log2(len(value)) - 0.8)


def _without_private_keys(text: str) -> str:
    parts: list[str] = []
    start = 0
    while begin := _BEGIN.search(text, start):
        end = _END.search(text, begin.end(), begin.end() + MAX_KEY)
        if end is not None:
            stop = end.start()
        else:
            lines = _KEY_LINES.match(text, text.find("\n", begin.end()) + 1 or len(text))
            stop = lines.end() if lines is not None else begin.end()
        parts += [text[start : begin.end()], _blank(text[begin.end() : stop])]
        start = stop
    return "".join([*parts, text[start:]])


def _blank(body: str) -> str:
    """Return as many lines as the body has; what stands at their start and end stays."""
    lines = body.split("\n")
    return "\n".join(REDACTED if line.strip(" \t+->\r\"'|\\") else line for line in lines)
