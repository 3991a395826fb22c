/**
 * Queries DT One whether a transaction is in the state that a callback reports. Nothing signs callbacks, and a believed
 * forgery could end a payout that has not ended.
 */
import type { AskForPayout } from '../../domain/notifications/rail-notification.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import { boundConfirmations } from '../kit/confirmations.ts';
import { asObject } from '../kit/provider-json.ts';
import { type DtOneApi, findTransaction } from './api.ts';
import { namedAmount, readTransaction } from './read-payout.ts';
import { meaningOf, type TransactionState } from './vocabulary.ts';

export interface NotifiedTransaction {
  readonly id: string;
  readonly reference: string;
  readonly state: TransactionState;
}

/** Queries DT One whether that transaction is in this state. */
export type ConfirmPayout = (notified: NotifiedTransaction) => AskForPayout;

export function createConfirmPayout(api: Pick<DtOneApi, 'get'>): ConfirmPayout {
  const bounded = boundConfirmations('DT One');
  return (notified) =>
    bounded(async (money, deadline) => {
      const reason = await differenceFrom(api, notified, money, deadline);
      return reason === undefined ? { kind: 'confirmed' } : { kind: 'unconfirmed', reason };
    });
}

/** Returns undefined if DT One's response agrees. */
async function differenceFrom(
  api: Pick<DtOneApi, 'get'>,
  { id, reference, state }: NotifiedTransaction,
  money: Money,
  deadline: Deadline,
): Promise<string | undefined> {
  const found = await findTransaction(api, reference, deadline);
  if (found.kind === 'unknown') return found.reason;
  const transactions = found.items.map((item) => readTransaction(asObject(item)));
  const [same, ...others] = transactions;
  if (others.length > 0) return 'DT One lists several transactions under one external_id';
  if (same?.id !== id || same.reference !== reference) return 'DT One does not find the transaction';
  if (state === 'executed' && namedAmount(same)?.minor !== money.minor) return 'DT One reports a different amount';
  const word = meaningOf(same.status);
  return word?.kind === state ? undefined : `DT One reports ${same.status.message || `class ${same.status.classId}`}`;
}
