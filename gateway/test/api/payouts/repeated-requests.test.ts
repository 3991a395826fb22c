/**
 * A payout happens exactly once, even if its request is repeated, sent a hundred times concurrently, or competes with others
 * for the same money.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { errorReply, provenReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { MASTERCARD, post } from '../../support/payouts/payout-request.ts';

let gateway: RunningGateway;
let merchant: TestMerchant;
before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
});
after(() => gateway.verifyAndStop());

async function rowsOf(payoutId: string, owner = merchant): Promise<number> {
  const { rows } = await gateway.database.pool.query(
    'select count(*)::int as rows from payouts where merchant_id = $1 and payout_id = $2',
    [owner.id, payoutId],
  );
  return rows[0].rows;
}

describe('a repeated payout_id', () => {
  it('a repeated payout_id with the same content gets the current status and does not send anything', async () => {
    assert.equal((await merchant.pay(1, 'again'))['status'], 'Pending');
    const done = await merchant.final('again');
    assert.deepEqual(await merchant.pay(1, 'again'), done);
    assert.equal(done['status'], 'Success');
    assert.equal((await gateway.bank.book(merchant.id, 'again')).length, 1);
    assert.equal(await rowsOf('again'), 1);
  });

  const SAME: Readonly<Record<string, Record<string, unknown>>> = {
    'another notation of the amount': { amount: '10.0' },
    'a leading zero': { amount: '010' },
    'an empty optional field': { full_name: '' },
    'an unknown field': { colour: 'red' },
    'the method as a string': { method: '1' },
  };
  for (const [what, change] of Object.entries(SAME)) {
    it(`a payout_id repeated with ${what} is treated as the same payout`, async () => {
      const payoutId = `same-${Object.keys(SAME).indexOf(what)}`;
      await merchant.pay(1, payoutId);
      assert.notEqual((await merchant.pay(1, payoutId, change))['status'], 'Error');
      assert.equal(await rowsOf(payoutId), 1);
    });
  }

  const OTHER: Readonly<Record<string, Record<string, unknown>>> = {
    'another amount': { amount: '10.01' },
    'another card': { account: MASTERCARD },
    'another method': { method: 16 },
    'an unsigned name that the first request did not have': { full_name: 'Somebody Else' },
    'an invalid field': { account: '1' },
    'an unknown method': { method: 7 },
  };
  for (const [what, change] of Object.entries(OTHER)) {
    it(`a payout_id repeated with ${what} is rejected as already used`, async () => {
      const payoutId = `other-${Object.keys(OTHER).indexOf(what)}`;
      const first = await merchant.pay(1, payoutId);
      assert.deepEqual(await merchant.pay(1, payoutId, change), errorReply('Payout id already used'));
      assert.equal(first['status'], 'Pending');
      assert.equal((await merchant.final(payoutId))['status'], 'Success');
    });
  }

  it('a repeat by method 34 with an additional unsigned field is rejected', async () => {
    await merchant.pay(34, 'all-fields');
    assert.notEqual((await merchant.pay(34, 'all-fields'))['status'], 'Error');
    assert.deepEqual(await merchant.pay(34, 'all-fields', { note: 'food' }), errorReply('Invalid note'));
  });

  it('two merchants may use the same payout_id', async () => {
    const other = await gateway.merchant();
    await merchant.pay(1, 'shared-id');
    assert.equal((await other.pay(1, 'shared-id', { amount: '3.00' }))['status'], 'Pending');
    assert.equal((await other.final('shared-id'))['status'], 'Success');
  });

  it('a repeat returns the stored payout even if the merchant is now suspended, out of money or over a limit', async () => {
    const poor = await gateway.merchant({ funds: { UAH: '10.00', USD: '10.00' } });
    await poor.pay(1, 'only');
    const done = await poor.final('only');
    assert.deepEqual(await poor.pay(1, 'only'), done, 'without money');
    await gateway.operations.merchants.edit(poor.id, { profile: {}, settings: { 'max_amount.1.UAH': '1.00' } });
    await gateway.operations.merchants.suspend(poor.id);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.deepEqual(await poor.pay(1, 'only'), done, 'suspended and over the limit');
    assert.deepEqual(await poor.pay(1, 'new'), errorReply('Merchant disabled'));
  });
});

describe('simultaneous payouts', () => {
  for (const method of [1, 70]) {
    it(`100 identical payouts by method ${method} create one row, one call to the bank and 100 equal responses`, async () => {
      const payoutId = `hundred-${method}`;
      const body = merchant.request(method, payoutId);
      const url = `${gateway.url}/merchant/api/payout_send`;
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(url, body)));
      const states = answers.map((answer) => provenReply(answer, merchant.key));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      if (method === 70) assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      else assert(states.every(({ status }) => status === 'Pending' || status === 'Success'));
      await merchant.final(payoutId);
      assert.equal(await rowsOf(payoutId), 1);
      const book = await gateway.bank.book(merchant.id, payoutId);
      assert.deepEqual(
        book.map(({ kind, repeats }) => [kind, repeats]),
        method === 70 ? [] : [['executed', 0]],
      );
      const attempts = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
      assert.equal(attempts?.attempts.length, 1);
    });
  }

  it('100 identical payouts get equal responses while their bank is down', async () => {
    await gateway.bank.faults({ down: true });
    const body = merchant.request(1, 'hundred-down');
    const url = `${gateway.url}/merchant/api/payout_send`;
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(url, body)));
    await gateway.bank.faults({ down: false });
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(provenReply(answers[0] as (typeof answers)[0], merchant.key)['status'], 'Pending');
    assert.equal((await merchant.final('hundred-down'))['status'], 'Success');
    const [last] = (await gateway.bank.book(merchant.id, 'hundred-down')).slice(-1);
    assert.deepEqual([last?.executions, last?.repeats], [1, 0]);
  });

  it('one of 50 simultaneous payouts is accepted and 49 are rejected when the balance covers one', async () => {
    const poor = await gateway.merchant({ funds: { UAH: '10.00' } });
    const url = `${gateway.url}/merchant/api/payout_send`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post(url, poor.request(1, `race-${index}`))),
    );
    const replies = answers.map((answer) => provenReply(answer, poor.key));
    assert.equal(replies.filter(({ status }) => status === 'Pending').length, 1);
    const refused = replies.filter(({ status }) => status === 'Error');
    assert.equal(refused.length, 49);
    for (const reply of refused) assert.deepEqual(reply, errorReply('Insufficient funds'));
    assert.equal((await poor.list('UAH')).length, 1);
    const { balance } = await poor.balance('UAH');
    assert.equal(balance, '0.00');
  });

  it('ten of 100 simultaneous payouts are accepted when the balance covers ten with their fees', async () => {
    const settings = { 'fee_fixed.1.UAH': '0.50', 'fee_percent.1.UAH': '5' };
    const poor = await gateway.merchant({ funds: { UAH: '110.00' }, settings });
    const url = `${gateway.url}/merchant/api/payout_send`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post(url, poor.request(1, `ten-${index}`))),
    );
    const accepted = answers.filter((answer) => provenReply(answer, poor.key)['status'] === 'Pending');
    assert.equal(accepted.length, 10);
    assert.equal((await poor.balance('UAH'))['balance'], '0.00');
  });

  it('one of two different payouts that race for a payout_id is accepted, and the other is rejected as already used', async () => {
    const url = `${gateway.url}/merchant/api/payout_send`;
    const bodies = Array.from({ length: 40 }, (_, index) =>
      merchant.request(1, 'two-contents', { amount: index % 2 === 0 ? '5.00' : '6.00' }),
    );
    const replies = (await Promise.all(bodies.map((body) => post(url, body)))).map((answer) =>
      provenReply(answer, merchant.key),
    );
    const used = replies.filter(({ description }) => description === 'Payout id already used');
    assert.equal(used.length, 20);
    assert.equal(await rowsOf('two-contents'), 1);
  });
});
