/** The error index for merchants: every message and code that the gateway returns, its meaning and its remedy. */
import { PAYOUT_RESULTS } from '../../src/domain/payouts/payout.ts';
import { DEPOSIT_REJECTION_ANSWERS } from '../../src/protocol/host2host/rejection-answers.ts';
import { FAILURES } from '../../src/protocol/http/request-failures.ts';
import { REJECTION_ANSWERS } from '../../src/protocol/payout/rejection-answers.ts';

export const REFUSAL_MEANINGS: Readonly<Record<keyof typeof REJECTION_ANSWERS, string>> = {
  invalid_field: 'the field is missing, or it does not have [the documented format](payouts.md#fields)',
  merchant_not_found: 'no merchant has this identifier',
  merchant_disabled: 'the merchant is suspended; pending payments continue',
  sign_error: '`sign` or `X-Sign` is missing or invalid ([causes](signatures.md#causes-of-sign-error))',
  address_not_allowed: 'the request came from an address that is not on your allow-list',
  too_many_requests: 'you exceeded the rate limit',
  currency_not_supported: 'the method has a different currency',
  amount_out_of_limits: 'below the minimum or above the maximum amount for the method',
  insufficient_funds: 'the amount and the fee exceed your available balance, or you have a debt in this currency',
  method_unavailable:
    'the method is disabled for you, or no rail serves it; in test mode, the method would move real money',
  payout_id_already_used: 'a payout with this id but different content exists',
  payout_not_found: 'no payout has this id; [when this is reliable](status-balance-list.md#payout-status)',
};

export const DEPOSIT_REFUSAL_MEANINGS: Readonly<Record<keyof typeof DEPOSIT_REJECTION_ANSWERS, string>> = {
  order_exists:
    'a deposit with this `order` exists; its CLABE is not shown again. An [unsigned form](hosted-form.md#sign-the-form) does not take the order, whether it was paid or not',
  sign_error: '`X-Sign` is missing or invalid ([causes](signatures.md#causes-of-sign-error))',
  merchant_not_found: 'no merchant has this identifier',
  merchant_disabled: 'the merchant is suspended; pending payments continue',
  invalid_field:
    'the field or the header `X-Merchant` is missing, or it does not have [the documented format](host-to-host.md#request)',
  currency_not_supported: 'the currency is not `MXN`',
  amount_out_of_limits: 'below the minimum or above the maximum amount for `spei`',
  method_unavailable:
    'deposits are disabled for you, or no account number is available; in test mode, the deposit would take real money',
  too_many_requests: 'you exceeded the rate limit',
  temporary_error: 'the gateway could not create the deposit',
};

type Refusal = keyof typeof REJECTION_ANSWERS | keyof typeof DEPOSIT_REJECTION_ANSWERS;

const REFUSAL_REMEDIES: Readonly<Record<Refusal, string>> = {
  invalid_field: 'correct the field; send amounts as strings with a `.`',
  merchant_not_found: 'check the identifier and the URL: test and live gateways have different merchants',
  merchant_disabled: 'ask your operator',
  sign_error: 'run `gateway signature explain` on the exact bytes, or open the request on the portal page *Requests*',
  address_not_allowed: 'send from an allowed address, or change `ip_allow_list`',
  too_many_requests: 'repeat the same request after `Retry-After` seconds, and send more slowly',
  currency_not_supported: 'send the currency of the method, or `MXN` for SPEI',
  amount_out_of_limits: 'change or split the amount; your operator knows your limits',
  insufficient_funds: 'query the [balance](status-balance-list.md#balance), add money, then repeat the request',
  method_unavailable: 'ask your operator whether the method is enabled; in test mode, use a [sandbox](sandbox.md)',
  payout_id_already_used: 'find out which payout has the id before you choose a new one: it may be the same payment',
  payout_not_found: 'repeat the payout under the same id once 30 seconds have passed since you last sent it',
  order_exists:
    'find the deposit with a [list query](status-balance-list.md#list); use a new `order` for another payment',
  temporary_error: 'repeat the request with the same `order` after `Retry-After` seconds',
};

const FAILURE_REMEDIES: Readonly<Record<keyof typeof FAILURES, readonly [meaning: string, remedy: string]>> = {
  body: [
    'the body is not UTF-8 or neither JSON nor a form, or a field occurs twice',
    'send one flat object of strings and numbers',
  ],
  path: ['the path has an invalid escape', 'correct the URL'],
  request: ['the gateway cannot read the HTTP request', 'use an HTTP library'],
  unknownPath: ['no endpoint has this path', 'correct the URL; remove a trailing `/`'],
  method: ['the endpoint does not support this HTTP method', 'use the documented method'],
  slow: ['the request took too long to arrive', 'repeat the request'],
  size: ['the body is larger than 64 KiB', 'send only the documented fields'],
  contentType: ['the content type is neither JSON nor a form', 'send `application/json`'],
  contentEncoding: ['the body is compressed', 'send it without `Content-Encoding`'],
  headers: ['the headers are too large', 'remove cookies and other headers'],
  overloaded: [
    'the gateway is overloaded; the request had no effect',
    'repeat the request after `Retry-After` seconds',
  ],
};

const RESULT_REMEDIES: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  0: ['the bank executed it; final', 'record it as paid'],
  40: ['accepted and not final', 'wait for the callback or query the status; never send the payout under a new id'],
  50: ['not paid, without a reason from the bank; final', 'ask your operator before you try again'],
  51: ['the bank declined it; final', 'ask the recipient for another card or account; use a new `payout_id`'],
  52: ['the card, account or name is wrong; final', "correct the recipient's data; use a new `payout_id`"],
  53: [
    "above one of the bank's limits, or stopped for risk; final",
    'send a smaller amount or wait; use a new `payout_id`',
  ],
  54: ['it was not approved or executed in time; final', 'send it again with a new `payout_id`'],
  55: ['a user cancelled it before a bank received it; final', 'ask who cancelled it; use a new `payout_id`'],
};

const code = (text: string) => `\`${text}\``;
const tableOf = (head: string, rows: readonly string[][]) =>
  [head, `|${'---|'.repeat(head.split('|').length - 2)}`, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join(
    '\n',
  );

function rowsOf<Kind extends Refusal>(
  answers: Readonly<Record<Kind, { readonly text: string }>>,
  meanings: Readonly<Record<Kind, string>>,
): string[][] {
  return (Object.keys(answers) as Kind[])
    .map((kind) => [code(answers[kind].text), meanings[kind], REFUSAL_REMEDIES[kind]])
    .sort(([left = ''], [right = '']) => (left < right ? -1 : 1));
}

type Common = keyof typeof REJECTION_ANSWERS & keyof typeof DEPOSIT_REJECTION_ANSWERS;

/** The errors that payouts and deposits share, with one meaning for both. */
const COMMON_MEANINGS: Readonly<Record<Common, string>> = {
  invalid_field: 'the field or header is missing, or it does not have the documented format',
  merchant_not_found: REFUSAL_MEANINGS.merchant_not_found,
  merchant_disabled: REFUSAL_MEANINGS.merchant_disabled,
  sign_error: REFUSAL_MEANINGS.sign_error,
  too_many_requests: REFUSAL_MEANINGS.too_many_requests,
  currency_not_supported: 'the method has a different currency, or the currency of a SPEI deposit is not `MXN`',
  amount_out_of_limits: REFUSAL_MEANINGS.amount_out_of_limits,
  method_unavailable:
    'the method or deposits are disabled for you, or nothing serves them; in test mode, real money would move',
};

/** Returns the errors that only one of the two APIs returns. */
function ownAnswers<Kind extends Refusal, Text>(answers: Readonly<Record<Kind, Text>>): Record<Kind, Text> {
  const own = Object.entries(answers).filter(([kind]) => !(kind in COMMON_MEANINGS));
  return Object.fromEntries(own) as Record<Kind, Text>;
}

function commonAnswers() {
  const common = Object.entries(REJECTION_ANSWERS).filter(([kind]) => kind in COMMON_MEANINGS);
  return Object.fromEntries(common) as Pick<typeof REJECTION_ANSWERS, Common>;
}

const REFUSAL_HEAD = '| message | meaning | what to do |';

export const ERROR_TABLES: Readonly<Record<string, () => string>> = {
  'common errors': () => tableOf(REFUSAL_HEAD, rowsOf(commonAnswers(), COMMON_MEANINGS)),
  'payout errors': () => tableOf(REFUSAL_HEAD, rowsOf(ownAnswers(REJECTION_ANSWERS), REFUSAL_MEANINGS)),
  'deposit errors': () =>
    tableOf(REFUSAL_HEAD, rowsOf(ownAnswers(DEPOSIT_REJECTION_ANSWERS), DEPOSIT_REFUSAL_MEANINGS)),
  'request errors': () =>
    tableOf(
      '| HTTP | message | meaning | what to do |',
      Object.entries(FAILURES).map(([kind, { status, text }]) => [
        String(status),
        code(text),
        ...FAILURE_REMEDIES[kind as keyof typeof FAILURES],
      ]),
    ),
  'result codes': () =>
    tableOf(
      '| `code` | `status` | `description` | meaning | what to do |',
      PAYOUT_RESULTS.map(({ status, code: number, text }) => {
        const [meaning, remedy] = RESULT_REMEDIES[number] ?? missing(number);
        return [code(number), code(status), text, meaning, remedy];
      }),
    ),
};

function missing(number: string): never {
  throw new Error(`the code ${number} has no remedy in the error index`);
}
