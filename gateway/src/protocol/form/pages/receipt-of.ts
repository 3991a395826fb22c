/** A payer's receipt of a payment, from its deposit and attempts. Pure. */
import type { Deposit } from '../../../domain/deposits/deposit.ts';
import { CARD_NETWORKS, findNetwork } from '../../../domain/methods/card-brand.ts';
import { isFormPaymentType } from '../../../domain/methods/payment-type.ts';
import type { RecordedAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { Language } from '../../../domain/payments/form-session.ts';
import type { Wallet } from '../../../domain/payments/wallet.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { catalogueOf } from '../languages/languages.ts';
import type { Receipt } from './page-view.ts';

/** Returns the receipt of a paid deposit. */
export function receiptOf(
  { transactionId, paymentType, money, received, finishedAt }: Deposit,
  attempts: readonly RecordedAttempt[],
): Receipt {
  invariant(
    isFormPaymentType(paymentType) && finishedAt !== null,
    'paid form has no form payment type or no final time',
  );
  const paid = paidAttempt(attempts);
  return {
    transactionId,
    money: { ...money, minor: received },
    paidAt: finishedAt,
    paymentType: paid && isFormPaymentType(paid.paymentType) ? paid.paymentType : paymentType,
    card: paid?.cardMask === undefined ? null : shownCard(paid.cardMask),
    wallet: paid?.wallet ?? null,
  };
}

export function paidAttempt(attempts: readonly RecordedAttempt[]): RecordedAttempt | undefined {
  return attempts.find(({ state }) => state === 'paid');
}

/** Returns the name of the network as printed on the card. Empty for an unknown network. */
function shownCard(mask: string): Receipt['card'] {
  const network = findNetwork(/^\d*/.exec(mask)?.[0] ?? '', CARD_NETWORKS)?.name ?? '';
  return { network, lastFour: mask.slice(-4) };
}

/** The card number of a wallet differs from the number on the payer's card, so a receipt shows only the wallet. */
export const WALLET_NAMES: Readonly<Record<Wallet, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

/** Returns a text such as `Visa, ending in 4242`, or the name of the method that the payer used. */
export function methodText({ card, wallet, paymentType }: Receipt, language: Language): string {
  if (wallet !== null) return WALLET_NAMES[wallet];
  const { receipt: texts } = catalogueOf(language);
  return card === null ? texts.methods[paymentType] : texts.card(card.network || texts.methods.card, card.lastFour);
}
