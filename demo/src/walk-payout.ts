/**
 * Shows one payout step by step: sent over HTTP as a merchant does, checked at Adyen and in the ledger, and called back. Each
 * step verifies what it prints, or throws a one-sentence error.
 */
import type { Gateway } from '../../gateway/src/main/compose/compose.ts';
import { type Accounts, type BooksParts, decimal, openBooks } from './check-ledger.ts';
import type { Delivery } from './delivery.ts';
import { DemoFailure } from './demo-failure.ts';
import type { Inbox } from './inbox.ts';
import { type Fields, isSigned } from './merchant-signatures.ts';
import { type Example, payoutRequest, type Sender } from './payout-examples.ts';
import type { AdyenSide } from './providers/adyen-transfers.ts';
import { screen } from './screen.ts';

export interface WalkParts extends BooksParts {
  readonly inbox: Inbox;
  readonly provider: Pick<AdyenSide, 'statusOf'>;
  readonly sender: Sender;
  /** Aborts when the demo must end. */
  readonly signal: AbortSignal;
}

export type PayoutRecord = NonNullable<Awaited<ReturnType<Gateway['operations']['payouts']['find']>>>;

export interface Walked {
  readonly record: PayoutRecord;
  readonly delivery: Delivery;
  /** The time in milliseconds since the epoch. */
  readonly sentAt: number;
}

export const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 5;

export async function walkPayout(parts: WalkParts, example: Example, payoutId: string): Promise<Walked> {
  const { inbox, sender, signal } = parts;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const books = await openBooks(parts, example.currency);
  const sentAt = Date.now();
  await sendPayout(sender, example, payoutId, patience);
  const record = await finalRecord(parts, payoutId, patience);
  await checkProvider(parts, record);
  await books.check(expectedMoves(record), 'nothing is reserved for it any longer');
  const delivery = await inbox.callbackOf(payoutId, patience).catch(() => {
    signal.throwIfAborted();
    throw new DemoFailure(`No callback for ${payoutId} arrived within ${PATIENCE_MS / 1_000} s: see gateway.log`);
  });
  checkCallback(delivery, record, sentAt);
  return { record, delivery, sentAt };
}

async function sendPayout(sender: Sender, example: Example, payoutId: string, signal: AbortSignal): Promise<void> {
  const { url, body } = payoutRequest(sender, example, payoutId);
  const began = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const text = await answer.text();
  const elapsed = Math.round(performance.now() - began);
  const reply = answer.status === 200 ? (JSON.parse(text) as Fields) : {};
  const { status, code, description } = reply;
  if (status !== 'Success' && status !== 'Pending') {
    const hint = description === 'Sign error' ? ': was its key rotated? Delete demo-merchant.json for a new one' : '';
    throw new DemoFailure(
      `The gateway responded to the payout with ${status ?? `HTTP ${answer.status}`} "${description}"${hint}`,
    );
  }
  if (!isSigned(reply, sender.key)) throw new DemoFailure('The signature of the gateway’s response is invalid');
  screen.done('Request', `${payoutId}: ${example.amount} ${example.currency} by method ${example.method}, signed`);
  screen.done('Reply', `${status} (${code} ${description}) after ${elapsed} ms, signature valid`);
}

async function finalRecord(
  { operations, sender }: WalkParts,
  payoutId: string,
  signal: AbortSignal,
): Promise<PayoutRecord> {
  const key = { merchantId: sender.merchantId, payoutId };
  for (;;) {
    const record = await operations.payouts.find(key);
    if (record && record.payout.state !== 'pending') return record;
    if (signal.aborted) {
      throw new DemoFailure(`The payout ${payoutId} is still pending (${record?.pending?.reason ?? 'not found'})`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** The gateway's own rails, such as the sandbox, have no provider to check. */
async function checkProvider({ operations, provider }: WalkParts, { payout, attempts }: PayoutRecord): Promise<void> {
  if (payout.state !== 'success') throw new DemoFailure(`The payout ended ${payout.state}: ${payout.blockedReason}`);
  const rail = (await operations.rails.list()).find(({ name }) => name === payout.rail);
  if (!rail?.notifies) return;
  const reference = attempts.at(-1)?.reference ?? '';
  const status = await provider.statusOf(reference);
  if (status !== 'booked') throw new DemoFailure(`The gateway reports success, but Adyen’s book has ${status}`);
  screen.done('Adyen', `its simulator recorded the payout, reference ${reference}`);
}

/** Returns the changes that a payout makes, by account. For TST, the operator adds the money on demand. */
function expectedMoves({ payout: { money, fee, rail } }: PayoutRecord): Accounts {
  const total = money.minor + fee;
  const paid = money.currency === 'TST' ? { operator_funding: -total, available: 0n } : { available: -total };
  return { ...paid, reserved: 0n, [`clearing:${rail}`]: money.minor, ...(fee > 0n ? { fees: fee } : {}) };
}

function checkCallback({ fields, receivedAt }: Delivery, { payout }: PayoutRecord, sentAt: number): void {
  const expected = { merchant: payout.merchantId, status: 'Success', code: '0', currency: payout.money.currency };
  const wrong = Object.entries({ ...expected, amount: decimal(payout.money.minor) }).find(
    ([name, text]) => fields[name] !== text,
  );
  if (wrong) throw new DemoFailure(`The callback's ${wrong[0]} is "${fields[wrong[0]]}" instead of "${wrong[1]}"`);
  const { status, code, description } = fields;
  screen.done(
    'Callback',
    `${status} (${code} ${description}) after ${receivedAt - sentAt} ms; sign, X-Sign and webhook-signature valid`,
  );
}
