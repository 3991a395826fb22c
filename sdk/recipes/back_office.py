"""Pays a list of payouts, and never pays one twice: `python3 sdk/recipes/back_office.py payouts.csv book.sqlite`.

The list has the columns payout_id, method, account, amount, currency and others of the method. GATEWAY_URL, MERCHANT and API_KEY are
variables. PORT receives the callbacks. Start it again after any failure: the book knows what was sent.
"""

import csv
import os
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "python"))
from payment_gateway import Gateway, InvalidSignature, OutcomeUnknown, RequestRejected, verify_callback  # noqa: E402

KEY = os.environ["API_KEY"]
GATEWAY = Gateway(os.environ["GATEWAY_URL"], os.environ["MERCHANT"], KEY)
BOOK = sqlite3.connect(sys.argv[2], check_same_thread=False, isolation_level=None)
LOCK = threading.Lock()
BOOK.execute("create table if not exists payouts (payout_id text primary key, amount text, currency text, state text)")


def settle(payout_id, status, amount=None, currency=None):
    """Records a final state, once. A callback also has the amount, which must be that of the book."""
    with LOCK:
        rows = BOOK.execute("select amount, currency from payouts where payout_id = ? and state = 'sent'", (payout_id,))
        expected = rows.fetchone()
        if expected is None or status not in ("Success", "Blocked"):
            return
        state = status if amount is None or expected == (amount, currency) else "for a person"
        BOOK.execute("update payouts set state = ? where payout_id = ?", (state, payout_id))
    print(f"payout {payout_id} is {state}: {expected[0]} {expected[1]}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            callback = verify_callback(body, dict(self.headers.items()), KEY)
        except InvalidSignature:
            return self.answer(400, b"wrong signature")
        if callback.kind == "payout":
            fields = callback.fields
            settle(fields["payout_id"], fields["status"], fields["amount"], fields["currency"])
        self.answer(200, b"OK")  # also to unknown payouts and events: they would come again

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def send(row):
    """Sends one payout under its own id. Sending it again is safe: the gateway knows the id."""
    fields = {name: text for name, text in row.items() if text}
    row_of_book = (fields["payout_id"], fields["amount"], fields["currency"])
    with LOCK:
        BOOK.execute("insert into payouts values (?, ?, ?, 'sent') on conflict do nothing", row_of_book)
        (state,) = BOOK.execute("select state from payouts where payout_id = ?", row_of_book[:1]).fetchone()
    if state != "sent":
        return
    try:
        settle(fields["payout_id"], GATEWAY.send_payout(fields)["status"])
    except OutcomeUnknown:
        print(f"payout {fields['payout_id']} is unknown: wait for its callback, or start this again", flush=True)
    except RequestRejected as error:
        # It had no effect now. The book keeps it as sent, because an earlier request may have had one.
        print(f"payout {fields['payout_id']} was rejected: {error}", flush=True)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening on {server.server_port}", flush=True)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            send(row)
    print("all sent", flush=True)
    threading.Event().wait()


main()
