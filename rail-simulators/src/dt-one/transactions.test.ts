/** What becomes of a transaction at DT One, and how its client is told. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { basic } from '../kernel/credentials.ts';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { account, messageOf, startDtOneUnderTest } from './dt-one-under-test.ts';

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
  for (const [fault, first, end, executions] of ways)
    it(`goes its way by ${JSON.stringify(fault)}: ${first}, in the end ${end}`, async (t) => {
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

  it('with the product of another operator is declined, whatever was to become of it', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234', { product_id: 9001 });
    dtOne.clock.advance(1_000);
    dtOne.clock.advance(1_000);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'DECLINED-INVALID-CREDIT-PARTY');
  });

  it('is refused where there is too little money', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.faults({ float: 'refused' });
    const { status, body } = await dtOne.make('1-AbCd1234');
    assert.deepEqual([status, (body['errors'] as { code: number }[])[0]?.code], [400, 1006001]);
    assert.equal((await dtOne.summary())['transactions'], 0);
  });

  it('is acted on where it stands so', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.faults({ transactions: 'hold' });
    await dtOne.make('1-AbCd1234');
    const act = async (behaviour: string, external_id = '1-AbCd1234') =>
      (await dtOne.control('act', { external_id, behaviour })).status;
    assert.deepEqual([await act('reverse'), await act('complete'), await act('decline')], [409, 200, 409]);
    assert.deepEqual([await act('reverse'), await act('jump'), await act('complete', '9')], [200, 400, 400]);
    assert.equal(await dtOne.statusOf('1-AbCd1234'), 'REVERSED');
  });

  it('goes on where it was after a restart', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'dt-one-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startDtOneUnderTest(t, { bookPath });
    await before.make('1-AbCd1234');
    await before.close();
    const after = await startDtOneUnderTest(t, { bookPath, clock: before.clock });
    assert.equal(await after.statusOf('1-AbCd1234'), 'CONFIRMED');
    after.clock.advance(1_000);
    await eventually('it is submitted', async () => (await after.statusOf('1-AbCd1234')) === 'SUBMITTED');
    assert.equal((await after.control('reset', {})).status, 409);
  });
});

describe('the callbacks of DT One', () => {
  it('tell each change, with the client’s credentials, and again what is not accepted', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    dtOne.inbox.answer = () => ({ status: 500, body: '' });
    await dtOne.make('1-AbCd1234');
    dtOne.clock.advance(1_000);
    await eventually('the first', () => dtOne.told().length === 1);
    dtOne.inbox.answer = () => ({ status: 204, body: '' });
    await aWhile();
    dtOne.clock.advance(500);
    await eventually('it again', () => dtOne.told().length === 2);
    dtOne.clock.advance(500);
    await eventually('the end', () => dtOne.told().length === 3);
    assert.deepEqual(dtOne.told(), ['SUBMITTED', 'SUBMITTED', 'COMPLETED']);
    for (const { headers, body } of dtOne.inbox.received) {
      assert.equal(headers.authorization, basic(account.callbackUsername, account.callbackPassword));
      assert.equal(body['external_id'], '1-AbCd1234');
    }
  });

  it('go nowhere where the transaction names no address', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.make('1-AbCd1234', { callback_url: undefined });
    dtOne.clock.advance(1_000);
    await aWhile();
    assert.deepEqual(dtOne.told(), []);
  });

  const modes: readonly (readonly [mode: string, told: readonly string[]])[] = [
    ['off', []],
    ['twice', ['DECLINED', 'DECLINED']],
    ['late', []],
    ['lying', ['COMPLETED']],
    ['forged', ['DECLINED']],
    ['foreign_reference', ['DECLINED']],
  ];
  for (const [notifications, told] of modes)
    it(`say ${told.join(', ') || 'nothing'} at first with ${notifications}`, async (t) => {
      const dtOne = await startDtOneUnderTest(t);
      await dtOne.faults({ notifications, transactions: 'hold' });
      await dtOne.make('1-AbCd1234');
      await dtOne.control('act', { external_id: '1-AbCd1234', behaviour: 'decline' });
      await aWhile();
      assert.deepEqual(dtOne.told(), told);
      const [first] = dtOne.inbox.received;
      const isKnown = first?.headers.authorization === basic(account.callbackUsername, account.callbackPassword);
      assert.equal(isKnown, told.length > 0 && notifications !== 'forged');
      assert.equal(first?.body['external_id'] === '99-FoReIgN1', notifications === 'foreign_reference');
      dtOne.clock.advance(10_000);
      if (notifications === 'late') await eventually('the late one', () => dtOne.told().length === 1);
    });

  it('may overtake each other', async (t) => {
    const dtOne = await startDtOneUnderTest(t);
    await dtOne.faults({ notifications: 'out_of_order' });
    await dtOne.make('1-AbCd1234');
    dtOne.clock.advance(1_000);
    await aWhile();
    dtOne.clock.advance(1_000);
    await eventually('both', () => dtOne.told().length === 2);
    assert.deepEqual(dtOne.told(), ['COMPLETED', 'SUBMITTED']);
  });
});
