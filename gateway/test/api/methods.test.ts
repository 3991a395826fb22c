/**
 * The bank's methods and the sandbox's, from the request to the verified callback and the books. Each of the others goes all
 * the way beside its rail (payouts-….test.ts).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertGenuine } from '../support/callback-receiver.ts';
import { EXAMPLE_PAYOUTS, MASTERCARD, post, signOver, VISA_CARD } from '../support/payout-request.ts';
import { type RunningGateway, startGateway } from '../support/running-gateway.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

let gateway: RunningGateway;
let merchant: TestMerchant;
before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
});
after(() => gateway.stop());

const callbacksOf = (payoutId: string) => gateway.receiver.about(merchant.id, payoutId);
const callbackOf = (payoutId: string) => until(`a callback about ${payoutId}`, () => callbacksOf(payoutId)[0]);

describe('a payout goes all the way', () => {
  for (const method of [1, 16, 34, 70]) {
    it(`by method ${method}`, async () => {
      const payoutId = `all-the-way-${method}`;
      const { currency = '' } = EXAMPLE_PAYOUTS[method] ?? {};
      const accepted = await merchant.pay(method, payoutId);
      assert.equal(accepted['payout_id'], payoutId);
      if (method !== 70) {
        assert.deepEqual(accepted, { status: 'Pending', code: '40', payout_id: payoutId, description: 'Queued' });
      }
      const done = { status: 'Success', code: '0', payout_id: payoutId, description: 'Completed' };
      assert.deepEqual(await merchant.final(payoutId), done);

      const callback = await callbackOf(payoutId);
      assertGenuine(callback, merchant.key);
      const { sign: _sign, ...fields } = callback.fields;
      assert.deepEqual(fields, { merchant: merchant.id, ...done, amount: '10.00', currency });
      assert.equal(callback.headers['content-type'], 'application/x-www-form-urlencoded');

      if (method !== 70) {
        const book = await gateway.bank.book(merchant.id, payoutId);
        assert.deepEqual(
          book.map(({ kind, executions, repeats }) => ({ kind, executions, repeats })),
          [{ kind: 'executed', executions: 1, repeats: 0 }],
        );
      }
    });
  }

  it('and the books hold after all of them', () => gateway.verify());
});

describe('the bank gets what the merchant sent', () => {
  it('the whole card number, of which the book keeps the first two and the last four digits', async () => {
    await merchant.pay(1, 'masked', { account: MASTERCARD });
    await merchant.final('masked');
    const [line] = await gateway.bank.book(merchant.id, 'masked');
    assert.match(line?.beneficiary ?? '', /^55\D+4444$/);
  });
});

describe('a request may be written otherwise', () => {
  const sent = (payoutId: string, method: number | string) => ({ ...merchant.request(1, payoutId), method });

  it('as a form, with the same signature', async () => {
    const fields = Object.entries(merchant.request(1, 'as-a-form')).map(([name, value]) => [name, String(value)]);
    const reply = await merchant.ask(
      '/merchant/api/payout_send',
      new URLSearchParams(fields as [string, string][]).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    assert.equal(reply['status'], 'Pending');
  });

  it('with the method as a text', async () => {
    assert.equal((await merchant.ask('/merchant/api/payout_send', sent('method-text', '1')))['status'], 'Pending');
  });

  it('with fields that nobody knows, which are ignored', async () => {
    const reply = await merchant.pay(1, 'unknown-fields', { colour: 'blue', nested: { a: [1] } });
    assert.equal(reply['status'], 'Pending');
  });

  it('method 34 rejects an unknown field, signed or not', async () => {
    assert.equal((await merchant.pay(34, 'signed-extra', { note: 'rent' }))['description'], 'Invalid note');
    const unsigned = { ...merchant.request(34, 'unsigned-extra'), note: 'rent' };
    assert.equal((await merchant.ask('/merchant/api/payout_send', unsigned))['description'], 'Invalid note');
  });

  it('with an amount of fewer decimals, shown with two in the callback', async () => {
    await merchant.pay(1, 'short-amount', { amount: '7' });
    const { fields } = await callbackOf('short-amount');
    assert.equal(fields['amount'], '7.00');
  });
});

describe('a callback follows the merchant’s wishes', () => {
  it('as JSON, to an address of its own, or not at all', async () => {
    const json = await gateway.merchant({ settings: { callback_format: 'json' } });
    const silent = await gateway.merchant({ settings: { payout_callback: 'off' } });
    await json.pay(70, 'json');
    await silent.pay(70, 'silent');
    const arrival = await until('the JSON callback', () => gateway.receiver.about(json.id, 'json')[0]);
    assertGenuine(arrival, json.key);
    assert.equal(arrival.headers['content-type'], 'application/json');
    assert.equal((await silent.final('silent'))['status'], 'Success');
    const record = await gateway.operations.payouts.find({ merchantId: silent.id, payoutId: 'silent' });
    assert.deepEqual(
      record?.callbacks.map(({ state }) => state),
      ['not_wanted'],
    );
    assert.deepEqual(gateway.receiver.about(silent.id, 'silent'), []);
  });

  it('once per final state, under the id of its webhook', async () => {
    await merchant.pay(1, 'webhook-id', { account: VISA_CARD });
    const { headers } = await callbackOf('webhook-id');
    const [row] =
      (await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'webhook-id' }))?.callbacks ?? [];
    assert.equal(headers['webhook-id'], row?.callbackId);
    assert.equal(callbacksOf('webhook-id').length, 1);
  });
});

describe('a reply is proved by its signature', () => {
  it('over status, code, payout_id and description, with the merchant’s key', async () => {
    const { json } = await post(`${gateway.url}/merchant/api/payout_send`, merchant.request(1, 'proved'));
    const { sign, ...fields } = json as Record<string, string>;
    assert.deepEqual(Object.keys(fields).sort(), ['code', 'description', 'payout_id', 'status']);
    assert.equal(sign, signOver(fields, 'all', merchant.key));
    assert.notEqual(sign, signOver(fields, 'all', ''));
  });
});
