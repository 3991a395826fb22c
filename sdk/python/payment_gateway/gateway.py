import json
import time
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, cast
from urllib.parse import urlencode

from .errors import OutcomeUnknown, RequestRejected
from .payouts import COVERED, Payout
from .signatures import is_equal, md5_sign, x_sign
from .transport import Answer, Transport

PAGE = 1000


class Gateway:
    """A merchant's client. Each method raises RequestRejected or OutcomeUnknown."""

    def __init__(
        self,
        base_url: str,
        merchant: str,
        api_key: str,
        form_key: Optional[str] = None,
        timeout_s: float = 30.0,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ):
        if not (merchant and api_key):
            raise ValueError("Gateway needs merchant and api_key")
        self._transport = Transport(base_url, timeout_s, attempts, sleep)
        self._merchant = merchant
        self._api_key = api_key
        self._form_key = form_key

    def __repr__(self) -> str:
        return f"Gateway(merchant={self._merchant!r})"

    def send_payout(self, payout: Payout) -> Dict[str, str]:
        """Sends a payout. Repeating it with the same ``payout_id`` and content never pays twice.

        ``Pending`` becomes final by a callback. After OutcomeUnknown call it again unchanged, or ask payout_status.
        """
        given = cast(Mapping[str, Any], payout)
        body = {"merchant": self._merchant, **{name: str(value) for name, value in given.items() if value is not None}}
        covered = {name: body[name] for name in COVERED.get(int(payout["method"]), ()) if name in body}
        body["sign"] = md5_sign(covered, self._api_key)
        return self._payout_reply(self._post("/merchant/api/payout_send", body), payout["payout_id"])

    def payout_status(self, payout_id: str) -> Optional[Dict[str, str]]:
        """Returns the state of a payout, or None if the gateway does not know it.

        Once 30 seconds have passed since the last request, None proves that the gateway never accepted the payout.
        """
        answer = self._ask("/merchant/api/payout_status", {"payout_id": payout_id})
        if _rejection_in(answer) == "Payout not found":
            return None
        return self._payout_reply(answer._replace(is_after_silence=False), payout_id)

    def balance(self, currency: str) -> Dict[str, str]:
        """``currency``, ``balance`` (what you can pay out) and ``reserved``."""
        fields = self._signed_fields(self._ask("/payment/balance", {"currency": currency}))
        fields.pop("status")
        return fields

    def payments(
        self,
        type: str,
        currency: str,
        start_date: str,
        finish_date: str,
        status: str = "all",
        order: str = "0",
    ) -> Iterator[Dict[str, Any]]:
        """All payments of the period, oldest first, page by page. Payments of the last 30 seconds are not listed yet.

        ``type`` is ``deposit`` or ``withdrawal``. Dates are UTC; the finish is not included.
        """
        query = {"type": type, "currency": currency, "start_date": start_date, "finish_date": finish_date}
        query.update({"status": status, "order": order, "limit": str(PAGE)})
        while True:
            answer = self._ask("/api/payment-list", query)
            _refuse(answer)
            self._check_bytes(answer)
            yield from answer.json
            if len(answer.json) < PAGE:
                return
            query["after"] = str(answer.json[-1]["id"])

    def create_deposit(self, order: str, amount: str, user_id: str, first_name: str, last_name: str) -> Dict[str, Any]:
        """A CLABE for one order, to be paid in MXN by SPEI. Show ``clabe`` and ``beneficiary`` to the payer.

        An order's CLABE is given once: use a new ``order`` after OutcomeUnknown.
        """
        fields = {"order": order, "amount": amount, "currency": "MXN"}
        fields.update({"user_id": user_id, "first_name": first_name, "last_name": last_name})
        answer = self._post("/api/v2/spei/host2host/create", fields)
        _refuse(answer)
        self._check_bytes(answer)
        if answer.json.get("order") != order:
            raise OutcomeUnknown("the reply belongs to another order")
        return answer.json

    def form_link(self, order: str, amount: str, currency: str, item_name: str, country: str, **more: str) -> str:
        """The link to the page on which a payer pays. Signing it keeps payers from changing the amount."""
        if self._form_key is None:
            raise ValueError("form_link needs form_key")
        signed = {"merchant": self._merchant, "order": order, "amount": amount, "currency": currency}
        sign = md5_sign(signed, self._form_key)
        query = {**signed, "item_name": item_name, "country": country, **more, "sign": sign}
        return f"{self._transport.base_url}/payment/form?{urlencode(query)}"

    def _ask(self, path: str, fields: Mapping[str, str]) -> Answer:
        covered = {"merchant": self._merchant, **fields}
        return self._post(path, {**covered, "sign": md5_sign(covered, self._api_key)})

    def _post(self, path: str, fields: Mapping[str, str]) -> Answer:
        body = json.dumps(fields, ensure_ascii=False).encode()
        return self._transport.send(path, body, {"X-Merchant": self._merchant, "X-Sign": x_sign(body, self._api_key)})

    def _payout_reply(self, answer: Answer, payout_id: str) -> Dict[str, str]:
        reply = self._signed_fields(answer)
        if reply.get("payout_id") != payout_id:
            raise OutcomeUnknown("the reply belongs to another payout")
        return reply

    def _signed_fields(self, answer: Answer) -> Dict[str, str]:
        _refuse(answer)
        fields = dict(answer.json) if isinstance(answer.json, dict) else {}
        is_text = all(isinstance(value, str) for value in fields.values())
        if is_text and is_equal(fields.pop("sign", ""), md5_sign(fields, self._api_key)):
            return fields
        raise OutcomeUnknown("the signature of the response is invalid")

    def _check_bytes(self, answer: Answer) -> None:
        if not is_equal(answer.headers.get("x-sign", ""), x_sign(answer.body, self._api_key)):
            raise OutcomeUnknown("the signature of the response is invalid")


def _rejection_in(answer: Answer) -> Optional[str]:
    """The reason of an ``Error`` or a ``fail``; None for any other response."""
    if isinstance(answer.json, dict) and answer.json.get("status") in ("Error", "fail"):
        return str(answer.json.get("description", ""))
    return None


def _refuse(answer: Answer) -> None:
    """A rejection proves nothing about an earlier attempt without a response."""
    reason = _rejection_in(answer)
    if reason is None:
        return
    if answer.is_after_silence:
        raise OutcomeUnknown(f"an attempt had no answer, and a repeat was rejected: {reason}")
    raise RequestRejected(reason)
