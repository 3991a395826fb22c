/** The index of errors for merchants: every text and code that the gateway returns, its meaning and its remedy. */
import { PAYOUT_RESULTS } from '../../src/domain/payouts/payout.ts';
import { DEPOSIT_REJECTION_ANSWERS } from '../../src/protocol/host2host/rejection-answers.ts';
import { FAILURES } from '../../src/protocol/http/request-failures.ts';
import { REJECTION_ANSWERS } from '../../src/protocol/payout/rejection-answers.ts';

export const REFUSAL_MEANINGS: Readonly<Record<keyof typeof REJECTION_ANSWERS, string>> = {
  invalid_field: 'the field is missing or not what [the tables](payouts.md#fields) accept',
  merchant_not_found: 'the gateway has no such merchant',
  merchant_disabled: 'the merchant is suspended; pending payments continue',
  sign_error: '`sign` or `X-Sign` is missing or wrong ([causes](signatures.md#when-the-answer-is-sign-error))',
  address_not_allowed: 'the request came from an address that is not on your allow-list',
  too_many_requests: 'the rate limit is exceeded; retry after the seconds in `Retry-After`',
  currency_not_supported: 'the method has a different currency',
  amount_out_of_limits: 'below the smallest or above the largest amount agreed for the method',
  insufficient_funds: 'amount and fee are more than your available balance, or you owe something in this currency',
  method_unavailable:
    'the method is turned off for you, or the gateway has no rail for it; in test: the method would move real money',
  payout_id_already_used: 'a payout with this id and other content exists',
  payout_not_found: 'no payout has this id; [when to believe it](status-balance-list.md#payout-status)',
};

export const DEPOSIT_REFUSAL_MEANINGS: Readonly<Record<keyof typeof DEPOSIT_REJECTION_ANSWERS, string>> = {
  order_exists:
    'a deposit with this `order` was created before; its CLABE is not shown again. An [unsigned form](hosted-form.md#sign-the-form) of the order does not count, paid or not',
  sign_error: '`X-Sign` is missing or wrong ([causes](signatures.md#when-the-answer-is-sign-error))',
  merchant_not_found: 'the gateway has no such merchant',
  merchant_disabled: 'the merchant is suspended; pending payments continue',
  invalid_field:
    'the field, or the header `X-Merchant`, is missing or not what [the table](host-to-host.md#request) accepts',
  currency_not_supported: 'the currency is not `MXN`',
  amount_out_of_limits: 'below the smallest or above the largest amount agreed for `spei`',
  method_unavailable:
    'deposits are turned off for you, or no account number is available; in test: the deposit would take real money',
  too_many_requests: 'the rate limit is exceeded; retry after the seconds in `Retry-After`',
  temporary_error:
    'the gateway could not create the deposit; retry with the same `order` after the seconds in `Retry-After`',
};

type Refusal = keyof typeof REJECTION_ANSWERS | keyof typeof DEPOSIT_REJECTION_ANSWERS;

const REFUSAL_REMEDIES: Readonly<Record<Refusal, string>> = {
  invalid_field: 'correct the field; send amounts as strings with a `.`',
  merchant_not_found: 'check the identifier and the URL: test and live gateways have different merchants',
  merchant_disabled: 'ask your operator',
  sign_error:
    'run `gateway signature explain` on the bytes, or open the request in the portal’s request log: it names the mistake, as the header `signature-mistake` does in a [world](sandbox.md#sandbox-worlds)',
  address_not_allowed: 'send from an allowed address, or change `ip_allow_list`',
  too_many_requests: 'repeat the same request after the seconds in `Retry-After`; send more slowly',
  currency_not_supported: 'send the currency of the [method](payouts.md#fields), `MXN` for SPEI',
  amount_out_of_limits: 'split or change the amount; ask your operator for your limits',
  insufficient_funds: 'ask for the [balance](status-balance-list.md#balance), and add money; then repeat it',
  method_unavailable: 'ask your operator whether the method is on; in test use a [sandbox](sandbox.md)',
  payout_id_already_used: 'find out which payout has the id before you choose a new one: it may be the same payment',
  payout_not_found: 'repeat the payout under the same id, if 30 seconds have passed since you last sent it',
  order_exists: 'find the deposit in [the list](status-balance-list.md#list); choose a new `order` for another payment',
  temporary_error: 'repeat it with the same `order` after the seconds in `Retry-After`',
};

const FAILURE_REMEDIES: Readonly<Record<keyof typeof FAILURES, readonly [meaning: string, remedy: string]>> = {
  body: [
    'the body is not JSON, a form or UTF-8, or it has a field twice',
    'send one flat object of strings and numbers',
  ],
  path: ['the path has an invalid escape', 'correct the URL'],
  request: ['the gateway cannot read the HTTP request', 'use an HTTP library'],
  unknownPath: ['no such path', 'correct the URL; remove a trailing `/`'],
  method: ['the path has no such HTTP method', 'use the method in this documentation'],
  slow: ['the request took too long to arrive', 'repeat it'],
  size: ['the body is larger than 64 KiB', 'send only the documented fields'],
  contentType: ['the content type is neither JSON nor a form', 'send `application/json`'],
  contentEncoding: ['the body is compressed', 'send it without `Content-Encoding`'],
  headers: ['the headers are too large', 'remove cookies and other headers'],
  overloaded: ['the gateway is overloaded; the request had no effect', 'repeat it after `Retry-After`'],
};

const RESULT_REMEDIES: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  0: ['the bank executed it; final', 'record it as paid'],
  40: ['accepted and not final', 'wait for the callback, or ask for the status; never send it under a new id'],
  50: ['not paid; final; the bank gave no reason', 'ask your operator before you try again'],
  51: ['the bank declined it; final', 'ask the recipient for another card or account; use a new `payout_id`'],
  52: ['the card, account or name is wrong; final', 'correct the recipient’s data; use a new `payout_id`'],
  53: ['above a limit of the bank, or stopped for risk; final', 'send a smaller amount or wait; use a new `payout_id`'],
  54: ['it was not approved or executed in time; final', 'send it again with a new `payout_id`'],
  55: ['a person cancelled it before a bank had it; final', 'ask the person; use a new `payout_id`'],
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

const REFUSAL_HEAD = '| text | meaning | what to do |';

export const ERROR_TABLES: Readonly<Record<string, () => string>> = {
  'payout errors': () => tableOf(REFUSAL_HEAD, rowsOf(REJECTION_ANSWERS, REFUSAL_MEANINGS)),
  'deposit errors': () => tableOf(REFUSAL_HEAD, rowsOf(DEPOSIT_REJECTION_ANSWERS, DEPOSIT_REFUSAL_MEANINGS)),
  'request errors': () =>
    tableOf(
      '| HTTP | text | meaning | what to do |',
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
  throw new Error(`the code ${number} has no remedy in the index of errors`);
}
