/**
 * The methods of the bank and the sandbox, from the request to the verified callback and the ledger. Each rail's methods are
 * covered by its own tests (payouts-….test.ts).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { EXAMPLE_PAYOUTS, MASTERCARD, post, signOver, VISA_CARD } from '../../support/payouts/payout-request.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

let gateway: RunningGateway;
let merchant: TestMerchant;
before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
});
after(() => gateway.stop());

const callbacksOf = (payoutId: string) => gateway.receiver.about(merchant.id, payoutId);
const callbackOf = (payoutId: string) => until(`the callback of ${payoutId}`, () => callbacksOf(payoutId)[0]);

describe('a payout from request to callback', () => {
  for (const method of [1, 16, 34, 70]) {
    it(`a payout by method ${method} ends with Success in its status and its verified callback`, async () => {
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

  it('the books balance after payouts by every method of the bank', () => gateway.verify());
});

describe('the card number that the bank receives', () => {
  it('the bank receives the unmasked card number, and its book shows the first two and last four digits', async () => {
    await merchant.pay(1, 'masked', { account: MASTERCARD });
    await merchant.final('masked');
    const [line] = await gateway.bank.book(merchant.id, 'masked');
    assert.match(line?.beneficiary ?? '', /^55\D+4444$/);
  });
});

describe('notations of a payout request', () => {
  const sent = (payoutId: string, method: number | string) => ({ ...merchant.request(1, payoutId), method });

  it('a payout sent as a form body is accepted with the signature of its JSON body', async () => {
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

  it('a payout with its method as a string is accepted', async () => {
    assert.equal((await merchant.ask('/merchant/api/payout_send', sent('method-text', '1')))['status'], 'Pending');
  });

  it('a payout with unknown fields is accepted, and the fields are ignored', async () => {
    const reply = await merchant.pay(1, 'unknown-fields', { colour: 'blue', nested: { a: [1] } });
    assert.equal(reply['status'], 'Pending');
  });

  it('method 34 rejects an unknown field, signed or not', async () => {
    assert.equal((await merchant.pay(34, 'signed-extra', { note: 'rent' }))['description'], 'Invalid note');
    const unsigned = { ...merchant.request(34, 'unsigned-extra'), note: 'rent' };
    assert.equal((await merchant.ask('/merchant/api/payout_send', unsigned))['description'], 'Invalid note');
  });

  it('a payout amount with fewer decimals has two decimals in the callback', async () => {
    await merchant.pay(1, 'short-amount', { amount: '7' });
    const { fields } = await callbackOf('short-amount');
    assert.equal(fields['amount'], '7.00');
  });
});

describe('callback settings', () => {
  it('the merchant’s settings decide whether a callback is sent, and whether it is JSON', async () => {
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

  it('the gateway sends one callback per final state, with the callback’s id as webhook-id', async () => {
    await merchant.pay(1, 'webhook-id', { account: VISA_CARD });
    const { headers } = await callbackOf('webhook-id');
    const [row] =
      (await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'webhook-id' }))?.callbacks ?? [];
    assert.equal(headers['webhook-id'], row?.callbackId);
    assert.equal(callbacksOf('webhook-id').length, 1);
  });
});

describe('the signature of a response', () => {
  it('the signature of a payout response covers status, code, payout_id and description', async () => {
    const { json } = await post(`${gateway.url}/merchant/api/payout_send`, merchant.request(1, 'proved'));
    const { sign, ...fields } = json as Record<string, string>;
    assert.deepEqual(Object.keys(fields).sort(), ['code', 'description', 'payout_id', 'status']);
    assert.equal(sign, signOver(fields, 'all', merchant.key));
    assert.notEqual(sign, signOver(fields, 'all', ''));
  });
});
