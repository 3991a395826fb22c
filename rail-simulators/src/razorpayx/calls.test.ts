/** What a client asks of RazorpayX, and what it is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { account, basic, fundAccount, startRazorpayXUnderTest } from './razorpayx-under-test.ts';

const dayMs = 24 * 60 * 60_000;

describe('a request to RazorpayX', () => {
  it('is answered only to who is known, and by the scheme in its one spelling', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const other = `Basic ${Buffer.from(`${account.keyId}:x`).toString('base64')}`;
    for (const authorization of ['', other, basic.replace('Basic', 'basic'), basic.replace('Basic', 'BASIC')]) {
      const answers = [
        await razorpayx.pay('1-AbCd1234', {}, { authorization }),
        await razorpayx.get('banking_balances', authorization),
      ];
      for (const { status, body } of answers)
        assert.deepEqual([status, errorOf(body)['description']], [401, 'Authentication failed']);
    }
    assert.equal((await razorpayx.summary())['payouts'], 0);
  });

  it('for a payout needs a key of 4 to 36 signs', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    for (const key of ['', 'abc', 'a'.repeat(37), 'key/1']) {
      const { status, body } = await razorpayx.pay('1-AbCd1234', {}, { 'x-payout-idempotency': key });
      assert.deepEqual([status, errorOf(body)['field']], [400, 'X-Payout-Idempotency']);
    }
  });

  const wrong: readonly (readonly [fields: Readonly<Record<string, unknown>>, field: string])[] = [
    [{ account_number: '1' }, 'account_number'],
    [{ amount: 99 }, 'amount'],
    [{ amount: '10000' }, 'amount'],
    [{ amount: 100.5 }, 'amount'],
    [{ amount: 50_000_001 }, 'amount'],
    [{ currency: 'USD' }, 'currency'],
    [{ mode: 'imps' }, 'mode'],
    [{ purpose: 'fun' }, 'purpose'],
    [{ queue_if_low_balance: 'yes' }, 'queue_if_low_balance'],
    [{ reference_id: 'x'.repeat(41) }, 'reference_id'],
    [{ narration: 'M1/A17' }, 'narration'],
    [{ fund_account: undefined }, 'fund_account.account_type'],
    [{ fund_account: fundAccount({ ifsc: 'HDFC000123' }) }, 'fund_account.bank_account.ifsc'],
    [{ fund_account: fundAccount({ account_number: '1234' }) }, 'fund_account.bank_account.account_number'],
    [{ fund_account: fundAccount({ name: 'Om' }) }, 'fund_account.bank_account.name'],
    [{ fund_account: fundAccount({ name: 'José' }) }, 'fund_account.bank_account.name'],
  ];
  for (const [fields, field] of wrong)
    it(`is refused with ${JSON.stringify(fields).slice(0, 60)}`, async (t) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      const { status, body } = await razorpayx.pay('1-AbCd1234', fields);
      const { code, reason, field: named } = errorOf(body);
      assert.deepEqual([status, code, reason, named], [400, 'BAD_REQUEST_ERROR', 'input_validation_failed', field]);
      assert.equal((await razorpayx.summary())['payouts'], 0);
    });
});

describe('a key that was used', () => {
  it('makes no second payout of the same body, and shows the first as it is or as it was', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const first = await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    const again = await razorpayx.pay('1-AbCd1234');
    assert.deepEqual([first.body['status'], again.body['status']], ['processing', 'processed']);
    assert.equal(again.body['id'], first.body['id']);
    await razorpayx.faults({ repetitions: 'first' });
    assert.equal((await razorpayx.pay('1-AbCd1234')).body['status'], 'processing');
    const { payouts, executions, repeats } = await razorpayx.summary();
    assert.deepEqual([payouts, executions, repeats], [1, 1, 2]);
  });

  it('refuses another body', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.pay('1-AbCd1234');
    const { status, body } = await razorpayx.pay('1-AbCd1234', { amount: 20_000 });
    assert.equal(status, 400);
    assert.match(String(errorOf(body)['description']), /^Different request body/);
  });

  it('is forgotten after seven days', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(7 * dayMs);
    await razorpayx.pay('1-AbCd1234');
    assert.deepEqual((await razorpayx.summary())['executed_over_once'], []);
    razorpayx.clock.advance(1);
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    assert.deepEqual((await razorpayx.summary())['executed_over_once'], ['1-AbCd1234']);
  });
});

describe('the lists of RazorpayX', () => {
  it('find payouts by reference, by the second and in pages', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const own = `payouts?account_number=${account.accountNumber}`;
    const idsOf = async (query: string) => {
      const { body } = await razorpayx.get(`${own}${query}`);
      assert.deepEqual([body['entity'], body['count']], ['collection', (body['items'] as object[]).length]);
      return (body['items'] as { reference_id: string }[]).map(({ reference_id }) => reference_id[0]);
    };
    const start = razorpayx.clock.now() / 1_000;
    for (const number of [1, 2, 3]) {
      await razorpayx.pay(`${number}-AbCd1234`);
      razorpayx.clock.advance(1_000);
    }
    assert.deepEqual(await idsOf(''), ['3', '2', '1']);
    assert.deepEqual(await idsOf('&reference_id=2-AbCd1234'), ['2']);
    assert.deepEqual(await idsOf('&reference_id=9-AbCd1234'), []);
    assert.deepEqual(await idsOf(`&from=${start + 1}&to=${start + 2}`), ['3', '2']);
    assert.deepEqual(await idsOf('&count=2&skip=2'), ['1']);
    assert.equal((await razorpayx.get('payouts')).status, 400);
    assert.equal((await razorpayx.get(`${own}&count=101`)).status, 400);
  });

  it('show the balance without what has left', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const available = async () => {
      const { body } = await razorpayx.get('banking_balances');
      const [balance] = body['items'] as { available_amount: number; account_number: string }[];
      assert.equal(balance?.account_number, account.accountNumber);
      return balance?.available_amount;
    };
    const before = Number(await available());
    await razorpayx.pay('1-AbCd1234');
    assert.equal(await available(), before - 10_000 - 590);
    await razorpayx.faults({ float: 'empty' });
    assert.equal(await available(), 0);
  });
});

function errorOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body['error'] as Record<string, unknown>;
}
