/** The receipt of a paid deposit, from its paid attempt. Pure. */
import type { Deposit } from '../../../domain/deposits/deposit.ts';
import { CARD_NETWORKS, findNetwork } from '../../../domain/methods/card-brand.ts';
import { isFormPaymentType } from '../../../domain/methods/payment-type.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { Receipt } from '../pages/page-view.ts';
import type { ViewFacts } from './view-facts.ts';

export function receiptOf(
  { record }: Pick<ViewFacts, 'record'>,
  { transactionId, paymentType, money, received, finishedAt }: Deposit,
): Receipt {
  invariant(isFormPaymentType(paymentType) && finishedAt !== null, 'a paid form has a type of the form and an end');
  const paid = record.attempts.find(({ state }) => state === 'paid');
  return {
    transactionId,
    money: { ...money, minor: received },
    paidAt: finishedAt,
    paymentType: paid && isFormPaymentType(paid.paymentType) ? paid.paymentType : paymentType,
    card: paid?.cardMask === undefined ? null : shownCard(paid.cardMask),
  };
}

/** The name of the network as it stands on the card; empty for an unknown one. */
function shownCard(mask: string): Receipt['card'] {
  const network = findNetwork(/^\d*/.exec(mask)?.[0] ?? '', CARD_NETWORKS)?.name ?? '';
  return { network, lastFour: mask.slice(-4) };
}
