/**
 * Decides what a charge at the bank means for the payer's attempt. Pure. Received money decides before any state. A
 * state that is not final must never become a refusal, however long ago the charge expired.
 */
import type {
  LaterNews,
  PaymentOrder,
  PaymentReceipt,
  PaymentRefusal,
  PaymentStatus,
} from '../../domain/payments/payment-rail.ts';
import type { Charge, ReceivedPix } from './protocol.ts';
import { codeOf } from './protocol.ts';
import { referenceOf } from './reference.ts';

export interface Shown {
  readonly city: string;
  /** True if the payer's time has ended. */
  readonly isExpired: boolean;
}

export function meaningOf(charge: Charge, order: PaymentOrder, shown: Shown): PaymentStatus {
  const [first, ...further] = charge.received;
  if (first) return paid(first, further, charge);
  const { state, txid: providerReference } = charge;
  switch (state) {
    case 'ATIVA':
      return step(charge, order, shown);
    case 'CONCLUIDA':
      return { kind: 'unknown', reason: 'the bank reports CONCLUIDA without a Pix' };
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
      return refused(shown.isExpired ? 'expired' : 'cancelled_by_payer', state, providerReference);
    case 'REMOVIDA_PELO_PSP':
      return refused('declined', state, providerReference);
  }
}

/** Each Pix is a separate receipt. If payers paid the charge twice, the gateway holds the second. */
function paid(first: ReceivedPix, further: readonly ReceivedPix[], { debtorTaxId, received }: Charge): PaymentStatus {
  return {
    kind: 'paid',
    ...receiptOf(first, debtorTaxId),
    providerReference: first.endToEndId,
    further: further.map((pix) => receiptOf(pix, debtorTaxId)),
    later: received.flatMap(laterOf),
  };
}

/** `asked` is the debtor of the charge, which the bank stores for us. Empty if the charge has none. */
function receiptOf({ endToEndId, money, payerTaxId }: ReceivedPix, asked: string): PaymentReceipt {
  const isFromAnother = asked !== '' && payerTaxId !== '' && payerTaxId !== asked;
  return { money, payerAccount: payerTaxId, receiptKey: endToEndId, isFromAnother };
}

/** A devolução keeps its id, which is unique within its Pix. */
function laterOf({ endToEndId, givenBack }: ReceivedPix): LaterNews[] {
  return givenBack.map(({ id, ...news }) => ({
    ...news,
    receiptKey: endToEndId,
    key: referenceOf(id) ?? `${endToEndId}/${id}`,
  }));
}

function step(charge: Charge, { money, merchantName }: PaymentOrder, { city }: Shown): PaymentStatus {
  if (charge.money.minor !== money.minor) return { kind: 'unknown', reason: 'the bank requests another amount' };
  const text = codeOf(charge, merchantName, city);
  if (text === undefined)
    return { kind: 'unknown', reason: 'the bank’s response contains neither a code nor a location' };
  return { kind: 'step', step: { kind: 'code', text }, keep: '', providerReference: charge.txid };
}

function refused(refusal: PaymentRefusal, detail: string, providerReference: string): PaymentStatus {
  return { kind: 'refused', refusal, canRetry: true, detail, providerReference };
}
