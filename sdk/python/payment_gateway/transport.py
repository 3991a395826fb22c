"""Requests to the gateway: one request is repeated with the same bytes, so it never becomes a second payment."""

import http.client
import json
import time
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional

from .errors import OutcomeUnknown

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 60.0
#: Far above the longest page of a list.
LONGEST_ANSWER_BYTES = 16_777_216


class Answer(NamedTuple):
    body: bytes
    json: Any
    headers: Mapping[str, str]
    #: An earlier attempt of this call had no answer, so it may have had an effect.
    is_after_silence: bool


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class Transport:
    def __init__(self, base_url: str, timeout_s: float, attempts: int, sleep: Callable[[float], None] = time.sleep):
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https://")
        self.base_url = base_url.rstrip("/")
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(self, path: str, body: bytes, headers: Dict[str, str]) -> Answer:
        is_after_silence = False
        reason = ""
        for attempt in range(1, self._attempts + 1):
            if attempt > 1:
                self._sleep(FIRST_PAUSE_S * 2 ** (attempt - 2))
            try:
                status, answered, received = self._once(path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                is_after_silence = True
                reason = str(error) or type(error).__name__
                continue
            # A 5xx of the gateway or of a proxy, and a redirect, say nothing of the outcome, whatever the body says.
            parsed = _parse(answered) if status < 300 or 400 <= status < 500 else None
            if status == 429 and attempt < self._attempts:
                self._sleep(min(_seconds(received.get("retry-after")), LONGEST_PAUSE_S))
            elif parsed is not None:
                return Answer(answered, parsed, received, is_after_silence)
            # A proxy's page, or the empty 500 of an unknown outcome.
            if parsed is None:
                is_after_silence = True
            reason = f"HTTP {status}"
        raise OutcomeUnknown(f"no usable answer after {self._attempts} attempts ({reason})")

    def _once(self, path: str, body: bytes, headers: Dict[str, str]):
        request = urllib.request.Request(self.base_url + path, data=body, method="POST")
        for name, value in {"Content-Type": "application/json", **headers}.items():
            request.add_header(name, value)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                return response.status, self._read(response), _lower(response.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, self._read(error), _lower(error.headers)

    def _read(self, response: Any) -> bytes:
        """The timeout of the connection is one of each part, so a response in many parts needs its own."""
        deadline = time.monotonic() + self._timeout_s
        body = b""
        while part := response.read1(65_536):
            body += part
            if len(body) > LONGEST_ANSWER_BYTES or time.monotonic() > deadline:
                raise OSError("the response is too long or too slow")
        if response.length:  # None: unknown
            raise OSError("the connection broke")
        return body


def _lower(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _seconds(retry_after: Optional[str]) -> float:
    return float(retry_after) if retry_after and retry_after.isdecimal() else 1.0


def _parse(body: bytes) -> Any:
    """None unless the text is the JSON of an object or a list."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None
