/** A merchant for tests: sends requests over HTTP, verifies every response, and waits for final states. */
import assert from 'node:assert/strict';
import { CREATE, depositRequest, reasonOf } from '../deposits/host-to-host-wire.ts';
import {
  fullySigned,
  payoutRequest,
  post,
  type RequestFields,
  signOver,
  type WireAnswer,
  xSignHeaders,
} from '../payouts/payout-request.ts';
import { until } from '../tools/until.ts';

export type Reply = Readonly<Record<string, string>>;

/** The response to an accepted deposit request. */
export interface CreatedDeposit {
  readonly transactionId: number;
  readonly merchantUuid: string;
  readonly uuid: string;
  readonly order: string;
  readonly clabe: string;
  readonly beneficiary: string;
}

export interface TestMerchant {
  readonly id: string;
  readonly key: string;
  /** Signs links to the hosted form. Empty if the test does not use it. */
  readonly formKey: string;
  /** Returns the same merchant with a different key. */
  withKey(key: string): TestMerchant;
  /** Returns a payout_send body. `change` is applied before signing. */
  request(method: number, payoutId: string, change?: RequestFields): RequestFields;
  /** Sends the payout and verifies the response. */
  pay(method: number, payoutId: string, change?: RequestFields): Promise<Reply>;
  status(payoutId: string): Promise<Reply>;
  balance(currency: string): Promise<Reply>;
  /** Lists payouts, or deposits if `change` contains `type: 'deposit'`. */
  list(currency: string, change?: RequestFields): Promise<readonly Readonly<Record<string, string | number>>[]>;
  /** Requests a deposit of 100.00 MXN. `change` is applied before signing. */
  requestDeposit(order: string, change?: RequestFields): Promise<WireAnswer>;
  /** Requests a deposit and asserts that it was created. */
  deposit(order: string, change?: RequestFields): Promise<CreatedDeposit>;
  /** Posts any body to any path and verifies the response. */
  ask(path: string, body: RequestFields | string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Waits until the payout's status is final, and returns it. */
  final(payoutId: string, ms?: number): Promise<Reply>;
}

/** Asserts that the response's `X-Sign` is valid for its bytes. */
export function assertSignedBytes({ headers, text }: WireAnswer, key: string): void {
  assert.equal(headers.get('x-sign'), xSignHeaders('', key, text)['x-sign'], `X-Sign of ${text}`);
}

/** Returns a signed link to the hosted form, as a merchant's shop creates it. */
export function signedForm(fields: Readonly<Record<string, string>>, formKey: string): string {
  const { merchant, order, amount, currency } = fields;
  const sign = signOver({ merchant, order, amount, currency }, 'all', formKey);
  return `/payment/form?${new URLSearchParams({ ...fields, sign })}`;
}

/** Calls `url` for each request, because a restarted gateway may have a different URL. */
export function createTestMerchant(url: () => string, id: string, key: string, formKey = ''): TestMerchant {
  const ask: TestMerchant['ask'] = async (path, body, headers = {}) =>
    provenReply(await post(url() + path, body, headers), key);
  const request: TestMerchant['request'] = (method, payoutId, change = {}) =>
    payoutRequest({ merchant: id, key, method, payoutId, change });
  const status: TestMerchant['status'] = (payoutId) =>
    ask('/merchant/api/payout_status', fullySigned({ merchant: id, payout_id: payoutId }, key));
  const requestDeposit: TestMerchant['requestDeposit'] = (order, change) => {
    const raw = JSON.stringify(depositRequest({ order, ...change }));
    return post(url() + CREATE, raw, xSignHeaders(id, key, raw));
  };
  return {
    id,
    key,
    formKey,
    withKey: (other) => createTestMerchant(url, id, other, formKey),
    request,
    ask,
    status,
    requestDeposit,
    async deposit(order, change) {
      const answer = await requestDeposit(order, change);
      assert.equal(reasonOf(answer), 'Created');
      assertSignedBytes(answer, key);
      return answer.json as CreatedDeposit;
    },
    pay: (method, payoutId, change) => ask('/merchant/api/payout_send', request(method, payoutId, change)),
    balance: (currency) => ask('/payment/balance', fullySigned({ merchant: id, currency }, key)),
    async list(currency, change = {}) {
      const answer = await post(`${url()}/api/payment-list`, fullySigned({ ...listOf(id, currency), ...change }, key));
      assert(Array.isArray(answer.json), answer.text);
      assertSignedBytes(answer, key);
      return answer.json;
    },
    final: (payoutId, ms) =>
      until(
        `${id}/${payoutId} is final`,
        async () => {
          const reply = await status(payoutId);
          return reply['status'] === 'Success' || reply['status'] === 'Blocked' ? reply : undefined;
        },
        ms,
      ),
  };
}

/** Returns a list query for all dates. */
function listOf(merchant: string, currency: string): RequestFields {
  return {
    merchant,
    currency,
    order: '0',
    start_date: '2000-01-01',
    finish_date: '2100-01-01',
    status: 'all',
    type: 'withdrawal',
  };
}

/**
 * Returns the response without its signature, after verifying it with `key`, or with the empty key if the status is `Error`.
 */
export function provenReply(answer: WireAnswer, key: string): Reply {
  assert(typeof answer.json === 'object' && answer.json !== null, `HTTP ${answer.status}: ${answer.text}`);
  const { sign, ...reply } = answer.json as Reply;
  assert.equal(sign, signOver(reply, 'all', reply['status'] === 'Error' ? '' : key), `signature of ${answer.text}`);
  return reply;
}

export function errorReply(description: string): Reply {
  return { status: 'Error', code: '99', payout_id: '', description };
}
