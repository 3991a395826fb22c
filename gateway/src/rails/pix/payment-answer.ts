/**
 * What a charge at the bank means for a payer's attempt. Pure. Money that came decides before any state does; a state that
 * is not final is never taken for a refusal, however long ago the charge expired.
 */
import type { PaymentAnswer, PaymentOrder, PaymentRefusal, PaymentStatus } from '../../domain/deposits/payment-rail.ts';
import type { Charge, ReceivedPix } from './protocol.ts';
import { codeOf } from './protocol.ts';
import type { GivenBack } from './refunds.ts';

/**
 * Whether who paid is whom the charge is addressed to, which the bank keeps for us. `not_told`: the bank does not say, or it
 * is addressed to nobody.
 */
export type PayerIs = 'as_asked' | 'other' | 'not_told';

type Paid = Extract<PaymentAnswer, { kind: 'paid' }>;

/** What Pix can tell beyond the common answer: who paid, for a policy to decide about, each Pix, and what went back since. */
export interface PixPaid extends Paid {
  readonly payerIs: PayerIs;
  /** At least one; their sum is `money`. A charge that is paid already may still receive another. */
  readonly received: readonly Pick<ReceivedPix, 'endToEndId' | 'money' | 'payerTaxId'>[];
  readonly givenBack: readonly GivenBack[];
}

export type ChargeMeaning = Exclude<PaymentStatus, { kind: 'paid' | 'not_found' | 'pending' }> | PixPaid;

export interface Shown {
  readonly city: string;
  /** Whether the payer's time is over. */
  readonly isExpired: boolean;
}

export function meaningOf(charge: Charge, order: PaymentOrder, shown: Shown): ChargeMeaning {
  const [first] = charge.received;
  if (first) return paid(first, charge, order);
  const { state, txid: providerReference } = charge;
  switch (state) {
    case 'ATIVA':
      return step(charge, order, shown);
    case 'CONCLUIDA':
      return { kind: 'unknown', reason: 'the bank says CONCLUIDA and names no Pix' };
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
      return refused(shown.isExpired ? 'expired' : 'cancelled_by_payer', state, providerReference);
    case 'REMOVIDA_PELO_PSP':
      return refused('declined', state, providerReference);
  }
}

/** All that came for the charge: where payers paid it twice, twice as much, which is for the gateway to hold. */
function paid(first: ReceivedPix, { received, debtorTaxId }: Charge, { money }: PaymentOrder): PixPaid {
  return {
    kind: 'paid',
    money: { currency: money.currency, minor: received.reduce((sum, pix) => sum + pix.money.minor, 0n) },
    payerAccount: first.payerTaxId,
    providerReference: first.endToEndId,
    payerIs: payerOf(received, debtorTaxId),
    received: received.map(({ endToEndId, money, payerTaxId }) => ({ endToEndId, money, payerTaxId })),
    givenBack: received.flatMap(({ givenBack }) => givenBack),
  };
}

function payerOf(received: readonly ReceivedPix[], asked: string): PayerIs {
  const told = received.map(({ payerTaxId }) => payerTaxId);
  if (asked === '') return 'not_told';
  if (told.some((taxId) => taxId !== '' && taxId !== asked)) return 'other';
  return told.includes('') ? 'not_told' : 'as_asked';
}

function step(charge: Charge, { money, merchantName }: PaymentOrder, { city }: Shown): ChargeMeaning {
  if (charge.money.minor !== money.minor) return { kind: 'unknown', reason: 'the bank asks for another amount' };
  const text = codeOf(charge, merchantName, city);
  if (text === undefined) return { kind: 'unknown', reason: 'the bank gives no code and no location' };
  return { kind: 'step', step: { kind: 'code', text }, keep: '', providerReference: charge.txid };
}

function refused(refusal: PaymentRefusal, detail: string, providerReference: string): ChargeMeaning {
  return { kind: 'refused', refusal, canRetry: true, detail, providerReference };
}
