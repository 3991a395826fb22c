/**
 * Paying out to a card through Freedom Pay (once PayBox.money), in tenge: what is asked, and what each answer proves. Pure:
 * no network, no clock. The signature is in signature.ts, the words and numbers in vocabulary.ts, one exchange in
 * freedom-pay-api.ts.
 *
 * Confirmed by Freedom Pay's pages (docs.freedompay.kz: payout to card, payout balance, payout status; the same pages of its
 * older site): the addresses, the fields of a payout to a card number and which of them are needed (the holder's name is not),
 * 13 to 20 digits, at least 0.01; the shape of its answers; `error` as its word for a payout that failed; the balance. By the
 * pages of its Merchant API: `payment_status2` finds a payout by our pg_order_id alone, and pg_payment_id 0 says, after a
 * minute, that there is none. By a client's code that was tried in its sandbox: that it is the one to ask about payouts.
 *
 * Not confirmed: whether `ok`, with which the example of a payout is answered, says that the money is there (its list of words
 * for the same field has `success`, `error` and `pending`): so `ok` is taken for accepted, and asked about. What a second
 * payout under one pg_order_id does (it is only recommended that there be none): so it is taken to pay twice, and nothing is
 * ever sent again blind. Whether a payout is ever undone. How long texts may be. `pg_idempotency_key`, which one client takes
 * from newer pages, is not sent.
 *
 * Seen and not spoken: `reg2reg`, which pays to a card that was saved with Freedom Pay, since a payout of ours comes with a
 * card number; `to_iban`; `payout_status2`, which asks for a number of theirs that an unanswered call never told us.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { beneficiaryField } from '../kit/beneficiary-field.ts';
import { type Declined, declined, notTaken, unanswered, unknown } from '../kit/payout-answers.ts';
import { amountOf, balanceOf } from '../kit/provider-json.ts';
import type { Called, FreedomPayRequest } from './freedom-pay-api.ts';
import { orderIdOf } from './order-id.ts';
import type { PgFields } from './signature.ts';
import { errorCodeOf, meaningOf, reasonOf, stateOf } from './vocabulary.ts';

export const FREEDOM_PAY_METHODS: ReadonlySet<number> = new Set([12]);
export const FREEDOM_PAY_CURRENCY = 'KZT';

/** The payout with the card number in it, for the wire and nothing else; or a decline, where they can't carry it. */
export function payoutRequest(order: PayoutOrder, notificationUrl: string): Result<FreedomPayRequest, Declined> {
  const { reference, remittance, money } = order;
  invariant(money.currency === FREEDOM_PAY_CURRENCY && money.minor > 0n, 'Freedom Pay is asked for tenge here');
  const card = beneficiaryField(order, 'account');
  if (!/^\d{13,20}$/.test(card)) {
    return fail(declined('52', 'account: Freedom Pay takes cards of 13 to 20 digits'));
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

/** What the answer to a payout means for it. */
export function readSubmission(payout: AskedPayout, called: Called): RailAnswer {
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

function readRefusal({ code, isSigned }: Extract<Called, { kind: 'error' }>): RailAnswer {
  const { kind, blocked } = meaningOf(code);
  const reason = reasonOf(code);
  if (kind === 'credentials') return notTaken(reason);
  return kind === 'declined' && isSigned ? declined(blocked, reason) : unknown(reason);
}

/** What the answer to a question means for the payout that was asked about. */
export function readStatus(payout: AskedPayout, called: Called): RailStatus {
  if (called.kind === 'error') {
    return meaningOf(called.code).kind === 'not_found' ? { kind: 'not_found' } : unknown(reasonOf(called.code));
  }
  if (called.kind !== 'said') return unknown(called.reason);
  const { fields } = called;
  if (fields.get('pg_payment_id') === '0') return { kind: 'not_found' };
  if (!isAbout(payout, fields, 'pg_amount')) return ANOTHER;
  return answerOf(fields.get('pg_payment_status') ?? '', fields, 'pg_amount');
}

const ANOTHER = unknown('Freedom Pay speaks of another payout');

/** Not every page has an amount in the answer; where there is one it has to be the payout's. */
function isAbout({ reference, money }: AskedPayout, fields: PgFields, amountField: AmountField): boolean {
  const amount = fields.get(amountField);
  const currency = fields.get('pg_currency') ?? FREEDOM_PAY_CURRENCY;
  const isAmount = amount === undefined || amountOf(amount, FREEDOM_PAY_CURRENCY)?.minor === money.minor;
  return fields.get('pg_order_id') === orderIdOf(reference) && isAmount && currency === FREEDOM_PAY_CURRENCY;
}

type AmountField = 'pg_payment_amount' | 'pg_amount';

/** Nothing is executed by an answer that names no amount. */
function answerOf(
  word: string,
  fields: PgFields,
  amountField: AmountField,
): Exclude<RailStatus, { kind: 'not_found' }> {
  const found = stateOf(word);
  if (found === 'executed' && !fields.has(amountField)) return unknown('Freedom Pay names no amount');
  switch (found) {
    case 'declined': {
      const code = errorCodeOf(fields);
      return { kind: found, code: meaningOf(code).blocked, reason: reasonOf(code) };
    }
    case undefined:
      return unknown('Freedom Pay has a word that is in no list');
    default:
      return { kind: found };
  }
}

/** Undefined: it can't be read. */
export function readBalance(fields: PgFields): Money | undefined {
  if (fields.get('pg_currency') !== FREEDOM_PAY_CURRENCY) return undefined;
  return balanceOf(fields.get('pg_balance') ?? '', FREEDOM_PAY_CURRENCY);
}
