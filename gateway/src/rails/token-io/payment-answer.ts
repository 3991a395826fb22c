/** What a payment at Token.io means for a payer's attempt. Pure. Nothing but settled money is `paid`. */
import type { PayerStep, PaymentAnswer, PaymentNews } from '../../domain/payments/payment-rail.ts';
import { unreachable } from '../../foundation/invariant.ts';
import type { TokenIoError, TokenIoPayment } from './protocol.ts';
import { meaningOfPayment } from './vocabulary.ts';

/** What is kept once the payer has been where Token.io sent them: they are not sent there again. */
export const RETURNED = 'returned';

type Answer = Exclude<PaymentAnswer, { kind: 'not_taken' }>;
/** `open_end`: the payment will say nothing more; the account has to be asked. */
export type PaymentReading = Answer | { readonly kind: 'open_end'; readonly reason: string };

export function readingOf(payment: TokenIoPayment, kept: string): PaymentReading {
  const { id, money, payerAccount, status } = payment;
  const meaning = meaningOfPayment(status);
  switch (meaning) {
    case undefined:
      return unknown(`Token.io says ${status.slice(0, 64) || 'no status'}`);
    case 'preparing':
      return unknown('the payer’s bank has not answered Token.io yet');
    case 'redirect':
    case 'on_their_page':
      return kept === RETURNED ? pending(id, false) : redirect(payment);
    case 'in_bank_app':
      return step({ kind: 'elsewhere', at: 'bank_message' }, id, kept);
    case 'deciding':
      return pending(id, false);
    case 'authorised':
      return pending(id, true);
    case 'paid':
      return { kind: 'paid', money, payerAccount, providerReference: id };
    case 'expired':
      // The bank knew of it, or the payer came back from there: it may have been paid all the same.
      return payment.isKnownToBank || kept === RETURNED ? openEnd(payment) : refused(payment, 'expired');
    case 'open_end':
      return openEnd(payment);
    default:
      return refused(payment, meaning.refusal);
  }
}

/**
 * What a payment that Token.io tells of by itself is worth as news. None: nothing follows from it. One that may have been
 * paid though it has expired is for asking, by who knows whether the payer came back.
 */
export function newsOf(payment: TokenIoPayment): readonly PaymentNews[] {
  const { reference, status } = payment;
  const reading = readingOf(payment, '');
  if (meaningOfPayment(status) === 'expired') return [{ kind: 'ask', reference }];
  switch (reading.kind) {
    case 'paid':
    case 'refused':
    case 'pending':
      return [{ ...reading, reference }];
    case 'step':
    case 'unknown':
    case 'open_end':
      return [];
    default:
      return unreachable(reading);
  }
}

/** What the payer may put right: another bank, or what the bank must know of them. */
const PAYERS_FIELDS = /^initiation\.(?:bankId|debtor)\b/;

/** An answer that refuses an order before it is taken. */
export function refusalOf({ code, paths, reason }: TokenIoError): PaymentAnswer {
  if (code === 'Field.NotUnique') return unknown(reason);
  const isAboutPayer =
    code.startsWith('Bank.') || (paths.length > 0 && paths.every((path) => PAYERS_FIELDS.test(path)));
  return isAboutPayer
    ? { kind: 'refused', refusal: 'payer_details', canRetry: true, detail: reason, providerReference: '' }
    : { kind: 'not_taken', reason };
}

function redirect({ id, redirectUrl }: TokenIoPayment): PaymentReading {
  if (redirectUrl === '') return unknown('Token.io names no address for the payer');
  return step({ kind: 'redirect', url: redirectUrl }, id, '');
}

function step(payerStep: PayerStep, providerReference: string, keep: string): PaymentReading {
  return { kind: 'step', step: payerStep, keep, providerReference };
}

function pending(providerReference: string, isAuthorised: boolean): PaymentReading {
  return { kind: 'pending', isAuthorised, keep: RETURNED, providerReference };
}

function refused(
  { id, status, reason }: TokenIoPayment,
  refusal: Extract<PaymentAnswer, { kind: 'refused' }>['refusal'],
): PaymentReading {
  const detail = `${status} ${reason}`.trim();
  return { kind: 'refused', refusal, canRetry: true, detail, providerReference: id };
}

function openEnd({ status }: TokenIoPayment): PaymentReading {
  return { kind: 'open_end', reason: `Token.io ends it with ${status}; only the account can tell` };
}

const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;
