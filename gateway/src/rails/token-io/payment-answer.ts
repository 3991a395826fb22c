/** Decides what a payment at Token.io means for the payer's attempt. Pure. Only settled money may become `paid`. */
import type { PayerStep, PaymentAnswer, PaymentNews } from '../../domain/payments/payment-rail.ts';
import { unreachable } from '../../foundation/invariant.ts';
import { unknown } from '../kit/rail-answers.ts';
import type { TokenIoError, TokenIoPayment } from './protocol.ts';
import { meaningOfPayment } from './vocabulary.ts';

/** The value kept after the payer returned, so that they are not redirected again. */
export const RETURNED = 'returned';

type Answer = Exclude<PaymentAnswer, { kind: 'not_accepted' }>;
/** `open_end`: the payment's status is final and undecided, so the rail must query the account. */
type PaymentReading = Answer | { readonly kind: 'open_end'; readonly reason: string };

export function readingOf(payment: TokenIoPayment, kept: string): PaymentReading {
  const { id, money, payerAccount, status } = payment;
  const meaning = meaningOfPayment(status);
  switch (meaning) {
    case undefined:
      return unknown(`Token.io reports ${status.slice(0, 64) || 'no status'}`);
    case 'preparing':
      return unknown('the payer’s bank has not responded to Token.io yet');
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
      // The bank knew the payment, or the payer returned from it, so it may have been paid nevertheless.
      return payment.isKnownToBank || kept === RETURNED ? openEnd(payment) : refused(payment, 'expired');
    case 'open_end':
      return openEnd(payment);
    default:
      return refused(payment, meaning.refusal);
  }
}

/**
 * Returns the events in a payment that Token.io reports. Empty if it has no effect. An expired payment that may have been paid
 * makes the gateway query the provider, because the gateway knows whether the payer returned.
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

/** Fields that the payer can correct: the bank, or the bank's data about them. */
const PAYERS_FIELDS = /^initiation\.(?:bankId|debtor)\b/;

/** Returns the refusal, if this error rejects an order before Token.io accepts it. */
export function refusalOf({ code, paths, reason }: TokenIoError): PaymentAnswer {
  if (code === 'Field.NotUnique') return unknown(reason);
  const isAboutPayer =
    code.startsWith('Bank.') || (paths.length > 0 && paths.every((path) => PAYERS_FIELDS.test(path)));
  return isAboutPayer
    ? { kind: 'refused', refusal: 'payer_details', canRetry: true, detail: reason, providerReference: '' }
    : { kind: 'not_accepted', reason };
}

function redirect({ id, redirectUrl }: TokenIoPayment): PaymentReading {
  if (redirectUrl === '') return unknown('Token.io’s response does not contain a URL for the payer');
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
  return {
    kind: 'open_end',
    reason: `Token.io reports its final status ${status}; only the account shows the outcome`,
  };
}
