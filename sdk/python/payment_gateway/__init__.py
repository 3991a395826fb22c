"""A merchant's client of the payment gateway: payouts, deposits, form links and verified callbacks."""

from .callbacks import Callback, verify_callback
from .errors import InvalidSignature, OutcomeUnknown, RequestRejected
from .explain_sign import SignExplanation, explain_sign
from .gateway import Gateway
from .payouts import Payout
from .signatures import md5_sign, x_sign

__all__ = [
    "Callback",
    "Gateway",
    "InvalidSignature",
    "OutcomeUnknown",
    "Payout",
    "RequestRejected",
    "SignExplanation",
    "explain_sign",
    "md5_sign",
    "verify_callback",
    "x_sign",
]
