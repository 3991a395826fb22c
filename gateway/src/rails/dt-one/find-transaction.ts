/** Asks DT One for the transaction of a reference: the one road of who asks what became of a payout. */
import type { Deadline } from '../../foundation/deadline.ts';
import { unknown } from '../kit/payout-answers.ts';
import type { Json } from '../kit/provider-json.ts';
import type { DtOneApi } from './dt-one-api.ts';
import { transactionsOfReference } from './protocol.ts';
import { NO_TRANSACTION } from './refusals.ts';

/** What bears the reference, none included; or why that could not be learnt. */
export type FoundTransactions =
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
      : unknown('DT One answers with something else than a list');
  // A question that is refused says nothing of the payout, whatever it would say of a new one.
  return called.code === NO_TRANSACTION ? { kind: 'listed', items: [] } : unknown(called.answer.reason);
}
