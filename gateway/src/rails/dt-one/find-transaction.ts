/** Asks DT One for the transactions with a reference. Every query about a payout's outcome uses this file. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Json } from '../kit/provider-json.ts';
import { unknown } from '../kit/rail-answers.ts';
import type { DtOneApi } from './api.ts';
import { transactionsOfReference } from './protocol.ts';
import { NO_TRANSACTION } from './refusals.ts';

/** The transactions with the reference, possibly none, or the reason why they are unknown. */
type FoundTransactions =
  | { readonly kind: 'listed'; readonly items: readonly Json[] }
  | { readonly kind: 'unknown'; readonly reason: string };

export async function findTransaction(
  api: Pick<DtOneApi, 'get'>,
  reference: string,
  deadline: Deadline,
): Promise<FoundTransactions> {
  const called = await api.get(transactionsOfReference(reference), deadline);
  if (called.kind === 'done')
    return Array.isArray(called.answer)
      ? { kind: 'listed', items: called.answer }
      : unknown('DT One did not answer with a list');
  // A rejected query proves nothing about the payout, whatever the same code means for a new one.
  return called.code === NO_TRANSACTION ? { kind: 'listed', items: [] } : unknown(called.answer.reason);
}
