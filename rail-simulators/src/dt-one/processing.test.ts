/** DT One: requests, the conducts of a transaction, callbacks, and each magic amount. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DAY_MS } from '../clock.ts';
import { basic } from '../kernel/credentials.ts';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { ACCOUNT, messageOf, startDtOneUnderTest, transaction } from './under-test.ts';

const codeOf = (body: Readonly<Record<string, unknown>>) => (body['errors'] as { code: number }[])[0]?.code;

describe('a request to DT One', () => {
  it('DT One serves a request only with valid credentials', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    for (const authorization of ['', basic(ACCOUNT.apiKey, 'x'), basic('x', ACCOUNT.apiSecret)]) {
      const answers = [
        await dtOne.post('async/transactions', transaction('1-AbCd1234'), authorization),
        await dtOne.post('lookup/mobile-number', { mobile_number: '+77011234567' }, authorization),
        await dtOne.get('balances', authorization),
      ];
      for (const { status, body } of answers) assert.deepEqual([status, codeOf(body)], [401, 1000401]);
    }
    assert.equal((await dtOne.summary())['transactions'], 0);
  });

  it('the authorization header for DT One equals the headers recorded from clients', () => {
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
  it('a DT One request with an invalid field is rejected with the field’s error number', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await eachOf(wrong, async ([fields, status, code]) => {
      const answer = await dtOne.make('1-AbCd1234', fields);
      assert.deepEqual([answer.status, codeOf(answer.body)], [status, code]);
      assert.equal((await dtOne.summary())['transactions'], 0);
    });
  });

  it('a DT One request under a used external_id is always rejected, without details of the first transaction', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234');
    dtOne.clock.advance(365 * DAY_MS);
    const { status, body } = await dtOne.make('1-AbCd1234');
    assert.deepEqual([status, codeOf(body), 'id' in body], [400, 1007001, false]);
    const { transactions, executions, repeats } = await dtOne.summary();
    assert.deepEqual([transactions, executions, repeats], [1, 1, 1]);
  });

  it('a DT One transaction without auto_confirm is created and waits', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    const { status, body } = await dtOne.make('1-AbCd1234', { auto_confirm: false });
    assert.deepEqual([status, messageOf(body)], [201, 'CREATED']);
    dtOne.clock.advance(DAY_MS);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'CREATED');
  });

  const calls: readonly (readonly [mode: string, status: number | 'never', transactions: number])[] = [
    ['accept', 201, 1],
    ['accept_unanswered', 'never', 1],
    ['accept_500', 500, 1],
    ['completed_before_reply', 201, 1],
    ['lose', 'never', 0],
    ['lose_503', 503, 0],
    ['throttle', 429, 0],
  ];
  it('the “calls” fault decides the status of DT One’s response, and whether the transaction exists', async (t) => {
    await eachOf(calls, async ([mode, status, transactions]) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults({ calls: mode });
      if (status === 'never') await assertUnanswered(dtOne, dtOne.make('1-AbCd1234'));
      else assert.equal((await dtOne.make('1-AbCd1234')).status, status);
      assert.equal((await dtOne.summary())['transactions'], transactions);
    });
  });
});

describe('the number lookup of DT One', () => {
  const lookedUp: readonly (readonly [mode: string, number: string, ids: readonly string[]])[] = [
    ['answer', '+77011234567', ['2002 true']],
    ['answer', '+77051234567', ['2001 true']],
    ['answer', '+79161234567', []],
    ['stale', '+77011234567', ['2003 true']],
    ['unidentified', '+77011234567', ['2001 false', '2002 false', '2003 false']],
    ['none', '+77011234567', []],
  ];
  it('the “look_ups” fault decides the operators that DT One finds for a number', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await eachOf(lookedUp, async ([look_ups, mobile_number, found]) => {
      await dtOne.faults({ look_ups });
      const { body } = await dtOne.post('lookup/mobile-number', { mobile_number });
      const operators = body as unknown as { id: number; identified: boolean }[];
      assert.deepEqual(
        operators.map(({ id, identified }) => `${id} ${identified}`),
        found,
      );
    });
  });
});

describe('the lists of DT One', () => {
  it('the DT One list finds transactions by external_id, or by day in pages', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    const idsOf = async (query: string) => {
      const { body } = await dtOne.get(`transactions?${query}`);
      return (body as unknown as { external_id: string }[]).map(({ external_id }) => external_id[0]);
    };
    for (const number of [1, 2, 3]) {
      await dtOne.make(`${number}-AbCd1234`);
      dtOne.clock.advance(DAY_MS / 2);
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

  it('the DT One balance shows the available and the held amount', async (t) => {
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

describe('a transaction at DT One', () => {
  const ways: readonly (readonly [fault: object, first: string, end: string, executions: number])[] = [
    [{ transactions: 'complete' }, 'CONFIRMED', 'COMPLETED', 1],
    [{ transactions: 'complete_at_once' }, 'COMPLETED', 'COMPLETED', 1],
    [{ transactions: 'decline', why: 'BARRED-CREDIT-PARTY' }, 'CONFIRMED', 'DECLINED-BARRED-CREDIT-PARTY', 0],
    [{ transactions: 'reject' }, 'CONFIRMED', 'REJECTED', 0],
    [
      { transactions: 'reject_at_once', why: 'OPERATOR-CURRENTLY-UNAVAILABLE' },
      'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE',
      'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE',
      0,
    ],
    [{ transactions: 'reverse' }, 'CONFIRMED', 'REVERSED', 1],
    [{ transactions: 'hold' }, 'CONFIRMED', 'CONFIRMED', 0],
    [{ float: 'rejected' }, 'REJECTED-INSUFFICIENT-BALANCE', 'REJECTED-INSUFFICIENT-BALANCE', 0],
  ];
  it('a fault decides the statuses that a DT One transaction passes through', async (t) => {
    await eachOf(ways, async ([fault, first, end, executions]) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults(fault);
      const { status, body } = await dtOne.make('1-AbCd1234');
      assert.deepEqual([status, messageOf(body)], [201, first]);
      for (let step = 0; step < 3; step++) {
        dtOne.clock.advance(3_000);
        await aWhile();
      }
      assert.equal(await dtOne.statusOf('1-AbCd1234'), end);
      assert.equal((await dtOne.summary())['executions'], executions);
    });
  });

  it('DT One declines a transaction for another operator’s product, whatever fault is set', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234', { product_id: 9001 });
    dtOne.clock.advance(1_000);
    dtOne.clock.advance(1_000);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'DECLINED-INVALID-CREDIT-PARTY');
  });

  it('a DT One transaction is rejected when the balance is short', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.faults({ float: 'refused' });
    const { status, body } = await dtOne.make('1-AbCd1234');
    assert.deepEqual([status, (body['errors'] as { code: number }[])[0]?.code], [400, 1006001]);
    assert.equal((await dtOne.summary())['transactions'], 0);
  });

  it('the control surface changes a DT One transaction only from a matching status', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.faults({ transactions: 'hold' });
    await dtOne.make('1-AbCd1234');
    const act = async (behaviour: string, external_id = '1-AbCd1234') =>
      (await dtOne.control('act', { external_id, behaviour })).status;
    assert.deepEqual([await act('reverse'), await act('complete'), await act('decline')], [409, 200, 409]);
    assert.deepEqual([await act('reverse'), await act('jump'), await act('complete', '9')], [200, 400, 400]);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'REVERSED');
  });
});

describe('the callbacks of DT One', () => {
  it('a DT One callback reports each change with the client’s credentials and is retried until accepted', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    dtOne.inbox.answer = () => ({ status: 500, body: '' });
    await dtOne.make('1-AbCd1234');
    dtOne.clock.advance(1_000);
    await eventually('the first', () => dtOne.notified().length === 1);
    dtOne.inbox.answer = () => ({ status: 204, body: '' });
    await aWhile();
    dtOne.clock.advance(500);
    await eventually('it again', () => dtOne.notified().length === 2);
    dtOne.clock.advance(500);
    await eventually('the end', () => dtOne.notified().length === 3);
    assert.deepEqual(dtOne.notified(), ['SUBMITTED', 'SUBMITTED', 'COMPLETED']);
    for (const { headers, body } of dtOne.inbox.received) {
      assert.equal(headers.authorization, basic(ACCOUNT.callbackUsername, ACCOUNT.callbackPassword));
      assert.equal(body['external_id'], '1-AbCd1234');
    }
  });

  it('DT One does not send a callback for a transaction without a callback URL', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234', { callback_url: undefined });
    dtOne.clock.advance(1_000);
    await aWhile();
    assert.deepEqual(dtOne.notified(), []);
  });

  const modes: readonly (readonly [mode: string, notified: readonly string[]])[] = [
    ['off', []],
    ['twice', ['DECLINED', 'DECLINED']],
    ['late', []],
    ['lying', ['COMPLETED']],
    ['forged', ['DECLINED']],
    ['foreign_reference', ['DECLINED']],
  ];
  it('the notification fault decides when, whether and with which content DT One sends the first callback', async (t) => {
    await eachOf(modes, async ([notifications, notified]) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults({ notifications, transactions: 'hold' });
      await dtOne.make('1-AbCd1234');
      await dtOne.control('act', { external_id: '1-AbCd1234', behaviour: 'decline' });
      await aWhile();
      assert.deepEqual(dtOne.notified(), notified);
      const [first] = dtOne.inbox.received;
      const isKnown = first?.headers.authorization === basic(ACCOUNT.callbackUsername, ACCOUNT.callbackPassword);
      assert.equal(isKnown, notified.length > 0 && notifications !== 'forged');
      assert.equal(first?.body['external_id'] === '99-FoReIgN1', notifications === 'foreign_reference');
      dtOne.clock.advance(10_000);
      if (notifications === 'late') await eventually('the late one', () => dtOne.notified().length === 1);
    });
  });
});

async function start(t: TestContext, amount: string): Promise<Play> {
  const dtOne = await startDtOneUnderTest(t);
  return {
    clock: dtOne.clock,
    async send() {
      const destination = { unit_type: 'CURRENCY', unit: 'KZT', amount: Number(amount) };
      const { status, body } = await dtOne.make('1-AbCd1234', { destination });
      return status === 201 ? messageOf(body) : status;
    },
    book: async () => entriesOf(await dtOne.control('book')).map(({ message }) => message),
    notified: () => dtOne.notified(),
  };
}

const paid = 'CONFIRMED, SUBMITTED, COMPLETED';

const rejected = 'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE';

const badNumber = 'REJECTED-INVALID-CREDIT-PARTY';

const overLimit = 'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT';

const rows: readonly Row[] = [
  ['40', 'CONFIRMED', paid, 'SUBMITTED, COMPLETED'],
  ['41', 'CONFIRMED', 'CONFIRMED, SUBMITTED, DECLINED', 'SUBMITTED, DECLINED'],
  ['42', 'CONFIRMED', paid],
  ['44', 'never', 'COMPLETED'],
  ['45', 'never', ''],
  ['50', 500, 'COMPLETED'],
  ['51', rejected, rejected],
  ['52', badNumber, badNumber],
  ['53', overLimit, overLimit],
  ['60', 'CONFIRMED', `${paid}, REVERSED`, 'SUBMITTED, COMPLETED, REVERSED'],
  ['62', 'COMPLETED', 'CONFIRMED, COMPLETED', 'COMPLETED'],
  ['63', 'CONFIRMED', paid, 'SUBMITTED ×2, COMPLETED ×2', 'SUBMITTED, COMPLETED'],
];

describe('magic amounts at DT One', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('DT One sends the callbacks of a transaction with .62 before its response', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62'))).notifiedFirst, ['COMPLETED']);
  });
});
