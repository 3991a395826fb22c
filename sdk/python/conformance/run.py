"""Answers each line of the conformance test (JSON) by calling the SDK: one line of JSON per call."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from payment_gateway import Gateway, explain_sign, verify_callback  # noqa: E402


def perform(request):
    name, args = request["call"], request["args"]
    if name == "explainSign":
        return explain_sign(args, request["apiKey"])._asdict()
    if name == "verifyCallback":
        body, now = args["body"].encode(), args["now"]
        return verify_callback(body, args["headers"], request["apiKey"], now=lambda: now)._asdict()
    gateway = Gateway(
        request["baseUrl"],
        request["merchant"],
        request["apiKey"],
        request["formKey"],
        timeout_s=10,
        sleep=lambda _seconds: None,
    )
    if name == "sendPayout":
        return gateway.send_payout(args)
    if name == "payoutStatus":
        return gateway.payout_status(args["payout_id"])
    if name == "payments":
        return list(gateway.payments(**args))
    calls = {"balance": gateway.balance, "createDeposit": gateway.create_deposit, "formLink": gateway.form_link}
    return calls[name](**args)


for line in sys.stdin:
    try:
        answer = {"result": perform(json.loads(line))}
    except Exception as error:  # noqa: BLE001
        answer = {"error": type(error).__name__, "message": str(error)}
    print(json.dumps(answer), flush=True)
