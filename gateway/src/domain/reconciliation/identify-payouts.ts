/**
 * Finds the payout behind each listed entry that matches none of our attempts. A restored database may have lost the payout or
 * the attempt. The entry's reference is proof if it equals the computed reference of the payout in its text. A transaction id
 * in a reference of the older format identifies a payout of the same amount. The text alone is the last resort, because anyone
 * could have written it.
 */

import type { PayoutKey } from '../../foundation/identifiers.ts';
import { isSameMoney } from '../../foundation/money.ts';
import type { Payout } from '../payouts/payout.ts';
import type { ListedPayout } from '../payouts/payout-lister.ts';
import { type ReferenceOf, readRemittance } from '../payouts/payout-order.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

export interface IdentifiedPayout extends PayoutKey {
  /** The state in our books. */
  readonly ours: string;
}

interface IdentifyPayoutsParts {
  readonly rail: string;
  readonly referenceOf: ReferenceOf;
  readonly store: Pick<ReconciliationStore, 'findPayouts' | 'findByTransactionIds'>;
}

/** Returns the payouts by their list entry. */
export async function identifyPayouts(
  { rail, referenceOf, store }: IdentifyPayoutsParts,
  lines: readonly ListedPayout[],
): Promise<ReadonlyMap<ListedPayout, IdentifiedPayout>> {
  const ids = lines.flatMap((line) => transactionIdIn(line) ?? []);
  const byId = new Map((await store.findByTransactionIds(ids)).map((payout) => [payout.transactionId, payout]));
  const named = lines.flatMap((line) => {
    const found = readRemittance(line.remittance ?? '');
    const isProved = found !== undefined && referenceOf({ ...found, rail }) === line.reference;
    const older = isProved ? undefined : sameMoney(line, byId.get(transactionIdIn(line) ?? 0));
    const key = older ?? found;
    return key ? [{ line, key, by: isProved ? 'reference' : older ? 'transaction id' : 'text' } as const] : [];
  });
  const stored = await store.findPayouts(named.map(({ key }) => key));
  const byKey = new Map(stored.map((payout) => [keyText(payout), payout]));
  return new Map(
    named.map(({ line, key, by }) => {
      const { merchantId, payoutId } = key;
      return [line, { merchantId, payoutId, ours: wordsOf(byKey.get(keyText(key)), by) }];
    }),
  );
}

const keyText = ({ merchantId, payoutId }: PayoutKey) => `${merchantId}/${payoutId}`;

/** The older shape, which contains the transaction id. */
const OLDER_REFERENCE = /^(\d{1,15})-[A-Za-z0-9]{8}$/;

function transactionIdIn({ reference }: ListedPayout): number | undefined {
  const [, transactionId] = OLDER_REFERENCE.exec(reference ?? '') ?? [];
  return transactionId === undefined ? undefined : Number(transactionId);
}

/** After a restore, the sequence may give the same id to a different payout. */
function sameMoney({ money }: ListedPayout, payout: Payout | undefined): Payout | undefined {
  return payout && isSameMoney(payout.money, money) ? payout : undefined;
}

function wordsOf(payout: Payout | undefined, by: 'reference' | 'transaction id' | 'text'): string {
  return payout
    ? `${payout.state}, not sent under this reference; identified by its ${by}`
    : `forgotten; identified by its ${by}`;
}
