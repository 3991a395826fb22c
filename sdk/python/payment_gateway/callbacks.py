"""Verifies callbacks and events over the bytes as received, before anything parses them."""

import base64
import hashlib
import hmac
import json
import time
from typing import Callable, Dict, Mapping, NamedTuple
from urllib.parse import parse_qsl

from .errors import InvalidSignature
from .signatures import is_equal


class Callback(NamedTuple):
    #: ``payout``, ``deposit`` or ``event``. Ignore unknown events, and answer ``OK``.
    kind: str
    #: The same at each delivery: a known id is a duplicate.
    id: str
    #: Compare amount and currency with your books.
    fields: Dict[str, str]


def verify_callback(
    body: bytes,
    headers: Mapping[str, str],
    api_key: str,
    tolerance_s: float = 300,
    now: Callable[[], float] = time.time,
) -> Callback:
    """``body`` is the raw body; for a GET the query without its question mark.

    Return HTTP 200 and the body ``OK`` once the result is in your books; return 400 if this raises InvalidSignature.
    """
    if not api_key:  # Anybody can sign with an empty key.
        raise ValueError("verify_callback needs the API key")
    if not isinstance(body, bytes):
        raise TypeError("verify_callback needs the bytes as received, before a framework parses them")
    lower = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    identifier, timestamp, signatures = (lower.get(name, "") for name in names)
    if not (identifier and timestamp and signatures):
        raise InvalidSignature("a webhook header is missing")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now() - int(timestamp)) > tolerance_s:
        raise InvalidSignature("the delivery is too old, or your clock is inaccurate")
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(api_key.encode(), signed, hashlib.sha256).digest()).decode()
    if not any(is_equal(each, expected) for each in signatures.split(" ")):
        raise InvalidSignature("the signature is invalid: another key, or the bytes were changed after they arrived")
    return _callback(identifier, body.decode())


def _callback(identifier: str, text: str) -> Callback:
    fields = json.loads(text) if text.startswith("{") else dict(parse_qsl(text, keep_blank_values=True))
    for name in ("sign", "co_sign"):
        fields.pop(name, None)
    kind = "event" if "type" in fields else "deposit" if "co_inv_id" in fields else "payout"
    return Callback(kind, identifier, fields)
