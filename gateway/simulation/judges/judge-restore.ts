/**
 * Checks a restore: each payout that a bank made during the lost time must be in the books again, or be a listed difference.
 */
import type { BankOrder } from '../actors/payout-bank.ts';
import type { Query } from './judge-payouts.ts';

/** `orders` belong to payouts that the restored database did not have. `rails` are those whose bank lists its payouts. */
export async function judgeRestore(
  query: Query,
  orders: readonly BankOrder[],
  rails: ReadonlySet<string>,
): Promise<string[]> {
  const made = orders.filter(({ bank, wasExecuted }) => wasExecuted && rails.has(bank));
  const names = [made.map(({ bank }) => bank), made.map(({ reference }) => reference)];
  const rows = await query<{ reference: string }>(UNKNOWN, names);
  const unknown = new Set(rows.map(({ reference }) => reference));
  return made
    .filter(({ reference }) => unknown.has(reference))
    .map(
      ({ bank, reference, remittance }) => `${bank} made ${remittance} (${reference}), and the gateway does not know`,
    );
}

const UNKNOWN = `
  select o.reference from unnest($1::text[], $2::text[]) as o(rail, reference)
  where not exists (select from payout_attempts as a where a.rail = o.rail and a.reference = o.reference)
    and not exists (select from unaccounted_payouts as u where u.rail = o.rail and u.reference = o.reference)
    and not exists (select from differences as d where d.rail = o.rail and d.subject = o.reference)`;
