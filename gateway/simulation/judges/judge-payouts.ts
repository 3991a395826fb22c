/** Checks payouts at a quiet moment: the gateway's books, the banks' books and the merchants' own records must agree. */
import type { Instant } from '../../src/foundation/clock.ts';
import type { CallbackOffice } from '../actors/callback-office.ts';
import type { SimulatedMerchant } from '../actors/merchant.ts';
import type { SimulatedOperator } from '../actors/operator.ts';
import type { BankOrder } from '../actors/payout-bank.ts';

export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface JudgeParts {
  readonly query: Query;
  readonly merchants: ReadonlyMap<string, SimulatedMerchant>;
  /** Returns the orders of all banks for one payout, given as `merchant/payout_id`. */
  readonly ordersOf: (remittance: string) => readonly BankOrder[];
  readonly office: CallbackOffice;
  readonly staff: Pick<SimulatedOperator, 'cancelled' | 'guessed' | 'credited'>;
}

interface PayoutRow {
  readonly merchant_id: string;
  readonly payout_id: string;
  readonly state: string;
  readonly reversed: boolean;
  /** True if its bank later reported a different outcome: the execution was posted, or a difference is open. */
  readonly is_contradicted: boolean;
  /** The net amount that left through its banks' accounts. */
  readonly paid_out: string;
  readonly callbacks: number;
  readonly callback_id: string | null;
  readonly callback_state: string | null;
}

/** Returns one line per disagreement about payouts that changed since `since`. */
export async function judgePayouts(
  { query, merchants, ordersOf, office, staff }: JudgeParts,
  since: Instant,
): Promise<string[]> {
  const rows = await query<PayoutRow>(PAYOUTS, [new Date(since)]);
  const faults: string[] = [];
  for (const row of rows) {
    const name = `${row.merchant_id}/${row.payout_id}`;
    const known = merchants.get(row.merchant_id)?.payouts.get(row.payout_id);
    const fault = (what: string) => void faults.push(`${name} (${row.state}): ${what}`);
    if (!known) {
      fault('no merchant ordered it');
      continue;
    }
    const orders = ordersOf(name);
    const executed = orders.filter(({ wasExecuted }) => wasExecuted);
    const kept = executed.filter(({ state }) => state === 'executed');
    if (executed.length > 1) fault(`executed ${executed.length} times: ${orders.map(wordsOf).join(', ')}`);
    if (row.state === 'pending') fault('it does not end');
    if (row.state === 'success' && staff.cancelled.has(name)) fault('the operator cancelled it');
    // The bank may contradict the operator's guess.
    if (!(staff.guessed.has(name) && row.is_contradicted))
      for (const what of disagreements(row, executed, kept)) fault(what);
    if (row.callbacks !== 1) fault(`${row.callbacks} callbacks`);
    const expected = row.state === 'success' ? 'Success' : 'Blocked';
    if (known.isRefused) fault('the gateway rejected the request, and the payout exists');
    if (known.said !== undefined && known.said !== 'Pending' && known.said !== expected)
      fault(`the merchant knows ${known.said}`);
    if (row.callback_state === 'delivered' && row.callback_id !== null && !office.acknowledged.has(row.callback_id))
      fault('its callback counts as delivered, and its merchant never acknowledged it');
    if (row.callback_state === 'undelivered' && !office.wasLongClosed(row.merchant_id))
      fault('the gateway stopped calling back, and its merchant was there');
    if (row.callback_state === 'due') fault('its callback is still due');
  }
  return faults;
}

function disagreements(
  { state, reversed, paid_out }: PayoutRow,
  executed: readonly BankOrder[],
  kept: readonly BankOrder[],
): string[] {
  const faults: string[] = [];
  const left = kept.reduce((sum, { money }) => sum + money.minor, 0n);
  if (BigInt(paid_out) !== left) faults.push(`the books paid out ${paid_out}, and its banks ${left}`);
  if (state === 'success' && executed.length === 0) faults.push('no bank paid it');
  if (state === 'blocked' && kept.length > 0) faults.push(`a bank paid it: ${kept.map(wordsOf).join(', ')}`);
  if (state === 'success' && kept.length === 0 && !reversed) faults.push('the bank reversed it, and the books do not');
  if (state === 'success' && kept.length > 0 && reversed) faults.push('the books reversed it, and the bank did not');
  return faults;
}

const PAYOUTS = `
  select p.merchant_id, p.payout_id, p.state,
    exists (select from payout_adjustments as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id
      and a.kind = 'reversed') as reversed,
    (select coalesce(bool_or(a.kind = 'late_execution' or exists (select from differences as d
        where d.merchant_id = p.merchant_id and d.payout_id = p.payout_id and d.kind = 'contradiction')), false)
      from payout_adjustments as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id
        and a.kind in ('late_execution', 'contradicted')) as is_contradicted,
    (select coalesce(sum(case when t.credit_account like 'clearing:%' then t.amount else -t.amount end), 0)::text
      from ledger_transfers as t
      where t.merchant_id = p.merchant_id
        and t.journal_id in ('payout/' || p.payout_id || '/execute', 'payout/' || p.payout_id || '/reversal',
          'payout/' || p.payout_id || '/late-execution')
        and (t.credit_account like 'clearing:%' or t.debit_account like 'clearing:%')) as paid_out,
    count(c.callback_id)::int as callbacks, min(c.callback_id) as callback_id, min(c.state) as callback_state
  from payouts as p
  left join callbacks as c on c.merchant_id = p.merchant_id and c.subject_id = p.payout_id and c.subject = 'payout'
  where p.accepted_at >= $1 and p.purpose = 'payout'
  group by p.merchant_id, p.payout_id, p.state, p.accepted_at
  order by p.accepted_at, p.merchant_id, p.payout_id`;

function wordsOf({ bank, number, reference, state }: BankOrder): string {
  return `${bank} #${number} ${reference} ${state}`;
}

/** Returns one line per payout that the merchant knows as accepted and the gateway does not have. */
export async function judgeMemories({ query, merchants }: JudgeParts): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, payouts } of merchants.values()) {
    const rows = await query<{ payout_id: string }>('select payout_id from payouts where merchant_id = $1', [id]);
    const there = new Set(rows.map((row) => row.payout_id));
    for (const { payoutId, acceptedAt } of payouts.values())
      if (acceptedAt !== undefined && !there.has(payoutId)) faults.push(`${id}/${payoutId} was accepted and is lost`);
  }
  return faults;
}
