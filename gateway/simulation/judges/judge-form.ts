/** Checks form payments: the providers' books, the attempts, the ledger, refunds and chargebacks must agree. */
import type { Instant } from '../../src/foundation/clock.ts';
import type { PaymentProvider, ProviderRefund } from '../actors/payment-provider.ts';
import type { Query } from './judge-payouts.ts';

interface AttemptRow {
  readonly rail: string;
  readonly reference: string;
  readonly state: string;
  readonly detail: string;
  /** The amounts of the recorded transfers. */
  readonly received: readonly string[];
}

interface RefundRow {
  readonly name: string;
  readonly state: string;
  readonly reversed: boolean;
  readonly is_contradicted: boolean;
  readonly rail: string;
  readonly reference: string | null;
}

interface AdjustmentRow {
  readonly rail: string;
  readonly kind: string;
  readonly key: string;
  readonly amount: string;
}

type Providers = ReadonlyMap<string, PaymentProvider>;

/** Returns one line per disagreement about payments, refunds and chargebacks since `since`. */
export async function judgeForm(query: Query, providers: Providers, since: Instant): Promise<string[]> {
  const from = [new Date(since)];
  return [
    ...judgeAttempts(await query<AttemptRow>(ATTEMPTS, from), providers, since),
    ...judgeRefunds(await query<RefundRow>(REFUNDS, from), providers),
    ...judgeChargebacks(await query<AdjustmentRow>(ADJUSTMENTS, from), providers, since),
  ];
}

const IN_FLIGHT: ReadonlySet<string> = new Set(['starting', 'acting', 'deciding', 'unknown']);

/** The gateway keeps this reason in addition to the later report (domain/payments/attempts/plan-attempt.ts). */
const NEVER_GOT = 'the provider never received it';

function judgeAttempts(rows: readonly AttemptRow[], providers: Providers, since: Instant): string[] {
  const faults: string[] = [];
  const known = new Set(rows.map(({ reference }) => reference));
  for (const { rail, reference, state, detail, received } of rows) {
    const payment = providers.get(rail)?.payments.get(reference);
    const fault = (what: string) => void faults.push(`payment ${rail}/${reference} (${state}): ${what}`);
    if (IN_FLIGHT.has(state)) fault('it does not end');
    if (detail === NEVER_GOT && payment) fault('the payer learned that it was never made, and the provider got it');
    if (received.length !== (payment?.charges ?? 0))
      fault(`the payer was charged ${payment?.charges ?? 0} times, and ${received.length} receipts are recorded`);
    for (const amount of received) if (BigInt(amount) !== payment?.money.minor) fault(`${amount} is recorded`);
    if ((state === 'paid') !== (payment?.state === 'paid'))
      fault(`the provider reports ${payment?.state ?? 'nothing'}`);
  }
  for (const { name, payments } of providers.values())
    for (const { reference, acceptedAt } of payments.values())
      if (acceptedAt >= since && !known.has(reference)) faults.push(`payment ${name}/${reference} is not in the books`);
  return faults;
}

function judgeRefunds(rows: readonly RefundRow[], providers: Providers): string[] {
  const faults: string[] = [];
  for (const { name, state, reversed, is_contradicted, rail, reference } of rows) {
    const refunds = [providers.get(rail)?.refunds.get(reference ?? '')].flatMap((refund) => refund ?? []);
    const fault = (what: string) =>
      void faults.push(`refund ${name} (${state}): ${what}; ${refunds.map(wordsOf).join(', ')}`);
    const isKept = refunds.some((refund) => refund.state === 'refunded');
    if (state === 'pending') fault('it does not end');
    if (is_contradicted) fault('the books contradict each other');
    if (state === 'success' && !refunds.some(({ wasRefunded }) => wasRefunded)) fault('no provider made it');
    if (state === 'blocked' && isKept) fault('a provider made it');
    if (state === 'success' && isKept === reversed) fault(reversed ? 'it was not undone' : 'it was undone');
  }
  return faults;
}

function judgeChargebacks(rows: readonly AdjustmentRow[], providers: Providers, since: Instant): string[] {
  const faults: string[] = [];
  const recorded = new Map(rows.map((row) => [`${row.rail} ${row.kind} ${row.key}`, row]));
  for (const { name, chargebacks } of providers.values())
    for (const { key, money, at, isUndone } of chargebacks) {
      if (at < since) continue;
      for (const kind of isUndone ? ['charged_back', 'chargeback_undone'] : ['charged_back']) {
        const amount = recorded.get(`${name} ${kind} ${key}`)?.amount;
        recorded.delete(`${name} ${kind} ${key}`);
        if (amount !== String(money.minor)) faults.push(`${name} ${kind} ${key} of ${money.minor}: recorded ${amount}`);
      }
    }
  for (const [what, { key }] of recorded)
    if (![...providers.values()].some(({ chargebacks }) => chargebacks.some((each) => each.key === key)))
      faults.push(`${what} is recorded and never happened`);
  return faults;
}

function wordsOf({ reference, state, money }: ProviderRefund): string {
  return `${reference} ${money.minor} ${state}`;
}

const ATTEMPTS = `
  select a.rail, a.reference, a.state, a.detail, array(
    select t.amount::text from incoming_transfer_keys as k
    join incoming_transfers as t using (merchant_id, rail, transfer_key)
    where k.rail = a.rail and k.transfer_key = a.reference) as received
  from payment_attempts as a where a.started_at >= $1
  order by a.started_at, a.merchant_id, a.transaction_id, a.attempt`;

/** The notification of a reversal may overtake the response that reports the execution. Together they move no money. */
const REFUNDS = `
  select p.merchant_id || '/' || p.payout_id as name, p.state, p.rail,
    (select min(a.reference) from payout_attempts as a
      where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id) as reference,
    exists (select from payout_adjustments as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id
      and a.kind = 'reversed') as reversed,
    exists (select from payout_adjustments as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id
      and (a.kind = 'contradicted' or a.kind = 'late_execution' and not exists (
        select from payout_adjustments as r where r.merchant_id = a.merchant_id and r.payout_id = a.payout_id
          and r.kind = 'reversed' and r.rail = a.rail))) as is_contradicted
  from payouts as p where p.purpose = 'refund' and p.accepted_at >= $1
  order by p.accepted_at, p.merchant_id, p.payout_id`;

const ADJUSTMENTS = `
  select a.rail, j.kind, j.key, j.amount::text from deposit_adjustments as j
  join payment_attempts as a using (merchant_id, transaction_id, attempt)
  where j.at >= $1`;
