/**
 * Writes payouts to a card in tenge through Freedom Pay (formerly PayBox.money), and decides what each response proves. Pure:
 * no network, no clock. signature.ts has the signature, vocabulary.ts the statuses, refusals.ts the codes, api.ts one
 * exchange. Confirmed by the sources in README.md. As far as documented, Freedom Pay pays a second request with one
 * pg_order_id again.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { amountOf, balanceOf } from '../kit/provider-json.ts';
import { beneficiaryField, type Declined, declined, notAccepted, unanswered, unknown } from '../kit/rail-answers.ts';
import type { FreedomPayAnswer, FreedomPayRequest } from './api.ts';
import { orderIdOf } from './reference.ts';
import { errorCodeOf, meaningOf, reasonOf } from './refusals.ts';
import type { PgFields } from './signature.ts';
import { stateOf } from './vocabulary.ts';

export const FREEDOM_PAY_CURRENCY = 'KZT';

/** Returns the payout with its card number, for the request only, or a decline if they cannot accept it. */
export function payoutRequest(order: PayoutOrder, notificationUrl: string): Result<FreedomPayRequest, Declined> {
  const { reference, remittance, money } = order;
  invariant(money.currency === FREEDOM_PAY_CURRENCY && money.minor > 0n, 'amount is not a positive KZT amount');
  const card = beneficiaryField(order, 'account');
  if (!/^\d{13,20}$/.test(card)) {
    return fail(declined('invalid_beneficiary', 'account: Freedom Pay accepts cards of 13 to 20 digits'));
  }
  const holder = beneficiaryField(order, 'full_name');
  return ok({
    path: '/g2g/p2p2nonreg',
    fields: {
      pg_order_id: orderIdOf(reference),
      pg_amount: formatAmount(money),
      pg_currency: money.currency,
      pg_description: remittance,
      pg_payment_to: card,
      ...(holder === '' ? {} : { pg_card_name: holder }),
      pg_post_link: notificationUrl,
    },
  });
}

export function statusRequest(reference: string): FreedomPayRequest {
  return { path: '/api/payment_status2', fields: { pg_order_id: orderIdOf(reference) } };
}

export function balanceRequest(): FreedomPayRequest {
  return { path: '/g2g/balance_status', fields: { pg_currency: FREEDOM_PAY_CURRENCY } };
}

export type AskedPayout = Pick<PayoutOrder, 'reference' | 'money'>;

/** Returns the meaning of the response to a payout. */
export function readSubmission(payout: AskedPayout, called: FreedomPayAnswer): RailAnswer {
  switch (called.kind) {
    case 'not_connected':
    case 'no_answer':
      return unanswered(called);
    case 'error':
      return readRefusal(called);
    case 'said': {
      const { fields } = called;
      if (!isAbout(payout, fields, 'pg_payment_amount')) return ANOTHER;
      const word = fields.get('pg_status') ?? '';
      return word === 'ok' ? { kind: 'pending' } : answerOf(word, fields, 'pg_payment_amount');
    }
  }
}

function readRefusal({ code, isSigned }: Extract<FreedomPayAnswer, { kind: 'error' }>): RailAnswer {
  const { kind, blocked } = meaningOf(code);
  const reason = reasonOf(code);
  if (kind === 'credentials') return notAccepted(reason);
  return kind === 'declined' && isSigned ? declined(blocked, reason) : unknown(reason);
}

/** Returns the meaning of the response to a query about the payout. */
export function readStatus(payout: AskedPayout, called: FreedomPayAnswer): RailStatus {
  if (called.kind === 'error') {
    return meaningOf(called.code).kind === 'not_found' ? { kind: 'not_found' } : unknown(reasonOf(called.code));
  }
  if (called.kind !== 'said') return unknown(called.reason);
  const { fields } = called;
  if (fields.get('pg_payment_id') === '0') return { kind: 'not_found' };
  if (!isAbout(payout, fields, 'pg_amount')) return ANOTHER;
  return answerOf(fields.get('pg_payment_status') ?? '', fields, 'pg_amount');
}

const ANOTHER = unknown('Freedom Pay’s response is about another payout');

/** Not every page has an amount in the response. If there is one, it must be the payout's. */
function isAbout({ reference, money }: AskedPayout, fields: PgFields, amountField: AmountField): boolean {
  const amount = fields.get(amountField);
  const currency = fields.get('pg_currency') ?? FREEDOM_PAY_CURRENCY;
  const isAmount = amount === undefined || amountOf(amount, FREEDOM_PAY_CURRENCY)?.minor === money.minor;
  return fields.get('pg_order_id') === orderIdOf(reference) && isAmount && currency === FREEDOM_PAY_CURRENCY;
}

type AmountField = 'pg_payment_amount' | 'pg_amount';

/** A response without an amount proves no execution. */
function answerOf(
  word: string,
  fields: PgFields,
  amountField: AmountField,
): Exclude<RailStatus, { kind: 'not_found' }> {
  const found = stateOf(word);
  if (found === 'executed' && !fields.has(amountField))
    return unknown('Freedom Pay’s response does not contain an amount');
  switch (found) {
    case 'declined': {
      const code = errorCodeOf(fields);
      return { kind: found, blockedReason: meaningOf(code).blocked, reason: reasonOf(code) };
    }
    case undefined:
      return unknown('Freedom Pay returned an unknown status');
    default:
      return { kind: found };
  }
}

/** Returns undefined if the balance is unreadable. */
export function readBalance(fields: PgFields): Money | undefined {
  if (fields.get('pg_currency') !== FREEDOM_PAY_CURRENCY) return undefined;
  return balanceOf(fields.get('pg_balance') ?? '', FREEDOM_PAY_CURRENCY);
}
