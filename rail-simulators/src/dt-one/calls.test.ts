/** What a client asks of DT One, and what it is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic } from '../kernel/credentials.ts';
import { aWhile } from '../kernel/inbox-under-test.ts';
import { account, messageOf, startDtOneUnderTest, transaction } from './dt-one-under-test.ts';

const dayMs = 24 * 60 * 60_000;

const codeOf = (body: Readonly<Record<string, unknown>>) => (body['errors'] as { code: number }[])[0]?.code;

describe('a request to DT One', () => {
  it('is answered only to who is known', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    for (const authorization of ['', basic(account.apiKey, 'x'), basic('x', account.apiSecret)]) {
      const answers = [
        await dtOne.post('async/transactions', transaction('1-AbCd1234'), authorization),
        await dtOne.post('lookup/mobile-number', { mobile_number: '+77011234567' }, authorization),
        await dtOne.get('balances', authorization),
      ];
      for (const { status, body } of answers) assert.deepEqual([status, codeOf(body)], [401, 1000401]);
    }
    assert.equal((await dtOne.summary())['transactions'], 0);
  });

  it('is authorized as recorded requests of clients are', () => {
    assert.equal(basic('key123', 'sesame'), 'Basic a2V5MTIzOnNlc2FtZQ==');
    assert.equal(basic('fake_apikey', 'fake_apisecret'), 'Basic ZmFrZV9hcGlrZXk6ZmFrZV9hcGlzZWNyZXQ=');
  });

  const destination = { unit_type: 'CURRENCY', unit: 'KZT', amount: 1_000 };
  const wrong: readonly (readonly [fields: Readonly<Record<string, unknown>>, status: number, code: number])[] = [
    [{ external_id: ' ' }, 400, 1000400],
    [{ external_id: 'x'.repeat(41) }, 400, 1000400],
    [{ product_id: '9002' }, 400, 1000400],
    [{ product_id: 1 }, 404, 1003001],
    [{ calculation_mode: undefined }, 400, 1000400],
    [{ destination: { ...destination, unit: 'USD' } }, 400, 1003003],
    [{ destination: { ...destination, amount: '1000' } }, 400, 1000400],
    [{ destination: { ...destination, amount: 0.5 } }, 400, 1003002],
    [{ destination: { ...destination, amount: 100_000.01 } }, 400, 1003002],
    [{ destination: { ...destination, amount: 10.005 } }, 400, 1003002],
    [{ auto_confirm: 'yes' }, 400, 1000400],
    [{ credit_party_identifier: { mobile_number: '77011234567' } }, 400, 1005003],
  ];
  for (const [fields, status, code] of wrong)
    it(`is refused with ${JSON.stringify(fields).slice(0, 80)}`, async (t) => {
      const dtOne = await startDtOneUnderTest(t);
      const answer = await dtOne.make('1-AbCd1234', fields);
      assert.deepEqual([answer.status, codeOf(answer.body)], [status, code]);
      assert.equal((await dtOne.summary())['transactions'], 0);
    });

  it('under an external_id that was used is refused for ever, and told nothing of the first', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234');
    dtOne.clock.advance(365 * dayMs);
    const { status, body } = await dtOne.make('1-AbCd1234');
    assert.deepEqual([status, codeOf(body), 'id' in body], [400, 1007001, false]);
    const { transactions, executions, repeats } = await dtOne.summary();
    assert.deepEqual([transactions, executions, repeats], [1, 1, 1]);
  });

  it('without auto_confirm is made and waits', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    const { status, body } = await dtOne.make('1-AbCd1234', { auto_confirm: false });
    assert.deepEqual([status, messageOf(body)], [201, 'CREATED']);
    dtOne.clock.advance(dayMs);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'CREATED');
  });

  const calls: readonly (readonly [mode: string, status: number | 'never', transactions: number])[] = [
    ['take', 201, 1],
    ['take_unanswered', 'never', 1],
    ['take_500', 500, 1],
    ['completed_before_reply', 201, 1],
    ['lose', 'never', 0],
    ['lose_503', 503, 0],
    ['throttle', 429, 0],
  ];
  for (const [mode, status, transactions] of calls)
    it(`is taken ${transactions} times and answered ${status} with ${mode}`, async (t) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults({ calls: mode });
      const answer = dtOne.make('1-AbCd1234').then(
        (answered) => answered.status,
        () => 'never',
      );
      if (status === 'never') await aWhile();
      dtOne.clock.advance(status === 'never' ? 60_000 : 0);
      assert.equal(await answer, status);
      assert.equal((await dtOne.summary())['transactions'], transactions);
    });
});

describe('the look-up of a number', () => {
  const lookedUp: readonly (readonly [mode: string, number: string, ids: readonly string[]])[] = [
    ['answer', '+77011234567', ['2002 true']],
    ['answer', '+77051234567', ['2001 true']],
    ['answer', '+79161234567', []],
    ['stale', '+77011234567', ['2003 true']],
    ['unidentified', '+77011234567', ['2001 false', '2002 false', '2003 false']],
    ['none', '+77011234567', []],
  ];
  for (const [look_ups, mobile_number, found] of lookedUp)
    it(`of ${mobile_number} finds ${found.join(', ') || 'nobody'} with ${look_ups}`, async (t) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults({ look_ups });
      const { body } = await dtOne.post('lookup/mobile-number', { mobile_number });
      const operators = body as unknown as { id: number; identified: boolean }[];
      assert.deepEqual(
        operators.map(({ id, identified }) => `${id} ${identified}`),
        found,
      );
    });
});

describe('the lists of DT One', () => {
  it('find transactions by external_id, or by the day in pages', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    const idsOf = async (query: string) => {
      const { body } = await dtOne.get(`transactions?${query}`);
      return (body as unknown as { external_id: string }[]).map(({ external_id }) => external_id[0]);
    };
    for (const number of [1, 2, 3]) {
      await dtOne.make(`${number}-AbCd1234`);
      dtOne.clock.advance(dayMs / 2);
    }
    assert.deepEqual(await idsOf('external_id=1-AbCd1234'), ['1']);
    assert.deepEqual(await idsOf('external_id=9-AbCd1234'), []);
    assert.deepEqual(await idsOf(''), ['2', '3']);
    assert.deepEqual(await idsOf('from_date=2026-11-20T00:00:00Z&to_date=2026-11-21T00:00:00Z'), ['1', '2']);
    assert.deepEqual(await idsOf('page=2&per_page=1'), ['3']);
    const tooLong = await dtOne.get('transactions?from_date=2026-11-20T00:00:00Z&to_date=2026-11-21T00:00:01Z');
    assert.deepEqual([tooLong.status, codeOf(tooLong.body)], [400, 1000400]);
    await dtOne.faults({ queries: 'not_yet_404' });
    const none = await dtOne.get('transactions?external_id=1-AbCd1234');
    assert.deepEqual([none.status, codeOf(none.body)], [404, 1008004]);
  });

  it('show what is free and what is held', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    const balance = async () => {
      const { body } = await dtOne.get('balances?unit_type=CURRENCY');
      const [{ available, holding } = { available: 0, holding: 0 }] = body as unknown as Record<
        'available' | 'holding',
        number
      >[];
      return [available, holding];
    };
    assert.deepEqual(await balance(), [10_000, 0]);
    await dtOne.make('1-AbCd1234');
    assert.deepEqual(await balance(), [9_998, 2]);
    dtOne.clock.advance(1_000);
    dtOne.clock.advance(1_000);
    assert.deepEqual(await balance(), [9_998, 0]);
    await dtOne.faults({ float: 'refused' });
    assert.deepEqual(await balance(), [0, 0]);
  });
});
