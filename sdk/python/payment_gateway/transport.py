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
            # A gateway's 5xx, or a proxy's, says nothing of the outcome, whatever its body says.
            parsed = _parse(answered) if status < 500 else None
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
                return response.status, response.read(), _lower(response.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), _lower(error.headers)


def _lower(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _seconds(retry_after: Optional[str]) -> float:
    return float(retry_after) if retry_after and retry_after.isdigit() else 1.0


def _parse(body: bytes) -> Any:
    """None unless the text is the JSON of an object or a list."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None
