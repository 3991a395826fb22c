/** The protocol that the gateway's connector is written against, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile } from '../provider-server/inbox-under-test.ts';
import { payout, secret, startBankUnderTest } from './bank-under-test.ts';
import { currencyOfMethod } from './payout-instruction.ts';

const executed = { reference: 'p-1', status: 'executed', reason: '' };

describe('a payout', () => {
  it('of an ordinary amount is executed at once, and a GET says the same', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.deepEqual(await bank.pay({}), { status: 200, body: executed });
    assert.deepEqual(await bank.get('/stand-in/v1/payouts/p-1'), { status: 200, body: executed });
    await aWhile();
    assert.equal(bank.inbox.received.length, 0, 'what the reply said is not notified');
  });

  it('is taken for each of the fourteen methods in its currency, and for no other method', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.equal(currencyOfMethod.size, 14);
    for (const [method, currency] of currencyOfMethod) {
      const { body } = await bank.pay({ reference: `m-${method}`, method, currency });
      assert.equal(body['status'], 'executed', `method ${method}`);
    }
    assert.deepEqual((await bank.pay({ method: 70, currency: 'TST' })).body, { error: 'invalid', field: 'method' });
  });

  it('that was never taken is not found', async (t) => {
    const bank = await startBankUnderTest(t);
    assert.deepEqual(await bank.get('/stand-in/v1/payouts/p-1'), { status: 404, body: { error: 'not_found' } });
  });

  it('is found by a reference whose characters were percent-encoded', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ reference: 'a:b~1' });
    assert.equal((await bank.get('/stand-in/v1/payouts/a%3Ab%7E1')).body['reference'], 'a:b~1');
  });
});

describe('a repeated reference', () => {
  it('answers the present status, executes nothing and is counted', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({});
    assert.deepEqual(await bank.pay({}), { status: 200, body: executed });
    assert.deepEqual(await bank.pay({}), { status: 200, body: executed });
    const { body } = await bank.get('/control/summary');
    assert.deepEqual([body['references'], body['executions'], body['repeats']], [1, 1, 2]);
  });

  it('sent a hundred times at once executes once', async (t) => {
    const bank = await startBankUnderTest(t);
    const answers = await Promise.all(Array.from({ length: 100 }, () => bank.pay({})));
    for (const answer of answers) assert.deepEqual(answer, { status: 200, body: executed });
    const { body } = await bank.get('/control/summary');
    assert.deepEqual([body['executions'], body['repeats']], [1, 99]);
  });

  const otherContents: Record<string, Record<string, unknown>> = {
    amount: { amount: '10.01' },
    method: { method: 22 },
    remittance: { remittance: 'M1/A18' },
    account: { beneficiary: { account: '4242424242424242' } },
    'other field of the beneficiary': { beneficiary: { account: '4111111111111111', full_name: 'Jo Do' } },
  };
  for (const [what, fields] of Object.entries(otherContents)) {
    it(`with another ${what} is refused and not counted`, async (t) => {
      const bank = await startBankUnderTest(t);
      await bank.pay({});
      assert.deepEqual(await bank.pay(fields), { status: 409, body: { error: 'reference_reused' } });
      const { body } = await bank.get('/control/summary');
      assert.deepEqual([body['executions'], body['repeats']], [1, 0]);
    });
  }

  it('is recognised whatever the order of the beneficiary’s fields', async (t) => {
    const bank = await startBankUnderTest(t);
    await bank.pay({ beneficiary: { account: '4111111111111111', full_name: 'Jo Do' } });
    const again = await bank.pay({ beneficiary: { full_name: 'Jo Do', account: '4111111111111111' } });
    assert.equal(again.status, 200);
  });
});

describe('a request that is wrong', () => {
  const wrong: readonly (readonly [field: string, fields: Record<string, unknown>])[] = [
    ['reference', { reference: '' }],
    ['reference', { reference: 'a b' }],
    ['reference', { reference: 'x'.repeat(129) }],
    ['reference', { reference: 17 }],
    ['method', { method: '9' }],
    ['method', { method: 2 }],
    ['amount', { amount: 10 }],
    ['amount', { amount: '10' }],
    ['amount', { amount: '0.00' }],
    ['amount', { amount: '-1.00' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '10.000' }],
    ['amount', { amount: '10.00\n' }],
    ['amount', { amount: '1234567890123.00' }],
    ['currency', { currency: 'USD' }],
    ['currency', { currency: null }],
    ['remittance', { remittance: '' }],
    ['remittance', { remittance: 'x'.repeat(141) }],
    ['beneficiary', { beneficiary: '4111111111111111' }],
    ['beneficiary', { beneficiary: { account: '4111111111111111', full_name: 5 } }],
    ['beneficiary.account', { beneficiary: {} }],
    ['beneficiary.account', { beneficiary: { account: '' } }],
  ];
  for (const [field, fields] of wrong) {
    it(`by ${JSON.stringify(fields).slice(0, 60)} names ${field} and takes nothing`, async (t) => {
      const bank = await startBankUnderTest(t);
      assert.deepEqual(await bank.pay(fields), { status: 400, body: { error: 'invalid', field } });
      assert.equal((await bank.get('/control/summary')).body['references'], 0);
    });
  }

  for (const text of ['', '{', '[]', 'null', '"x"', `${JSON.stringify(payout({}))}}`, '['.repeat(10_000)]) {
    it(`by the body ${JSON.stringify(text.slice(0, 20))} is refused`, async (t) => {
      const bank = await startBankUnderTest(t);
      const answer = await bank.post('/stand-in/v1/payouts', text);
      assert.deepEqual(answer, { status: 400, body: { error: 'invalid', field: 'body' } });
    });
  }

  it('by its size is refused, and the bank goes on', async (t) => {
    const bank = await startBankUnderTest(t);
    const answer = await bank.post('/stand-in/v1/payouts', 'x'.repeat(70_000));
    assert.deepEqual(answer, { status: 413, body: { error: 'too_large' } });
    assert.equal((await bank.pay({})).status, 200);
  });

  it('by its address never says not_found, which is said of payouts only', async (t) => {
    const bank = await startBankUnderTest(t);
    for (const path of ['/', '/stand-in/v1/payouts', '/stand-in/v1/payouts/a/b', '/stand-in/v1/payouts/%zz']) {
      assert.deepEqual(await bank.get(path), { status: 404, body: { error: 'no_such_path' } }, path);
    }
  });
});

describe('authorization', () => {
  const headers = [{}, { authorization: '' }, { authorization: `Bearer ${secret}x` }, { authorization: secret }];
  for (const header of headers) {
    it(`with ${JSON.stringify(header)} is refused everywhere`, async (t) => {
      const bank = await startBankUnderTest(t);
      for (const path of ['/stand-in/v1/payouts/p-1', '/control/book', '/control/summary', '/nowhere']) {
        assert.deepEqual(await bank.get(path, header), { status: 401, body: { error: 'unauthorized' } }, path);
      }
    });
  }

  it('that fails takes nothing', async (t) => {
    const bank = await startBankUnderTest(t);
    const body = JSON.stringify(payout({}));
    const answer = await fetch(`${bank.url}/stand-in/v1/payouts`, { method: 'POST', body });
    assert.equal(answer.status, 401);
    assert.equal((await bank.get('/control/summary')).body['references'], 0);
  });

  it('or not, every answer says that this is a stand-in', async (t) => {
    const bank = await startBankUnderTest(t);
    const answer = await fetch(bank.url);
    assert.match(answer.headers.get('server') ?? '', /stand-in/);
  });
});
