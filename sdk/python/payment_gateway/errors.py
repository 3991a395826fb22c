class RequestRejected(Exception):
    """The gateway rejected this request, which had no effect. The text is its reason, such as ``Insufficient funds``."""


class OutcomeUnknown(Exception):
    """It is unknown whether the payment happened.

    Never send it under a new id. Send the same request again later, or query its status.
    """


class InvalidSignature(Exception):
    """A callback is forged, altered, or too old. Return HTTP 400."""
