"""The two signatures of the gateway. ``sign`` is base64 of raw bytes; ``X-Sign`` is base64 of hexadecimal text."""

import base64
import hashlib
import hmac
from typing import Mapping


def md5_sign(fields: Mapping[str, str], key: str) -> str:
    """Covers exactly ``fields``: leave ``sign`` itself out."""
    joined = ":".join([fields[name] for name in sorted(fields)] + [key])
    return base64.b64encode(hashlib.md5(joined.encode()).digest()).decode()


def x_sign(body: bytes, key: str) -> str:
    """Covers the bytes of a body as they are sent."""
    digest = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return base64.b64encode(digest.encode()).decode()


def is_equal(given: str, expected: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(given.encode(), expected.encode())
