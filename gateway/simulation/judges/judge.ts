/** The checks at a quiet moment. Each function returns one line per disagreement. */

import type { Instant } from '../../src/foundation/clock.ts';
import { INVARIANTS } from '../../src/storage/invariants/verify-invariants.ts';
import type { PaymentProvider } from '../actors/payment-provider.ts';
import type { BankOrder } from '../actors/payout-bank.ts';
import type { SpeiBank } from '../actors/spei-bank.ts';
import { judgeBalanceLocks } from './balance-locks.ts';
import { judgeDeposits } from './judge-deposits.ts';
import { judgeForm } from './judge-form.ts';
import { type JudgeParts, judgeMemories, judgePayouts } from './judge-payouts.ts';
import { judgeRestore } from './judge-restore.ts';

interface Judged extends JudgeParts {
  readonly spei: Pick<SpeiBank, 'book' | 'paidTo'>;
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  /** The rails whose bank lists its payouts. */
  readonly listed: ReadonlySet<string>;
  /** The orders of the payouts that the last restore lost. */
  readonly forgotten: readonly BankOrder[];
}

/** Checks what changed since `since`. */
export async function judgeChanges(judged: Judged, since: Instant): Promise<string[]> {
  const { query, spei, providers, forgotten, listed } = judged;
  return [
    ...(await judgePayouts(judged, since)),
    ...(await judgeDeposits(judged, spei, since)),
    ...(await judgeForm(query, providers, since)),
    ...(await judgeRestore(query, forgotten, listed)),
    ...(await judgeBalanceLocks(query)),
  ];
}

/** Runs the checks that scan entire tables. */
export async function judgeWhole(judged: Judged): Promise<string[]> {
  const faults = await judgeMemories(judged);
  for (const { name, sql } of INVARIANTS) {
    const rows = await judged.query(sql);
    if (rows.length > 0) faults.push(`${name}: ${JSON.stringify(rows.slice(0, 3), asText)}`);
  }
  return faults;
}

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
