import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, SECOND_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { type AskForTransfer, confirmTransfer } from './confirm-transfer.ts';
import type { IncomingTransfer, RecordedTransfer } from './deposit.ts';

const NOTIFIED: IncomingTransfer = {
  rail: 'a_rail',
  transferKey: 'K1',
  payTo: '1',
  money: { currency: 'MXN', minor: 6_000_000n },
  originator: { name: 'Ana', account: '1', institution: '2', concept: '', trackingKey: 'K1' },
  bookedAt: 0,
};
const AS_LISTED = { ...NOTIFIED, originator: { ...NOTIFIED.originator, account: '2' } };

const confirms: AskForTransfer = async () => ({ kind: 'confirmed', transfer: AS_LISTED });

/** Answers nothing before its deadline. */
const isSilent: AskForTransfer = ({ signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'unconfirmed', reason: 'no response in time' }));
  });

/** `recorded`: the keys of the transfers that the gateway recorded earlier. */
function open(...recorded: readonly string[]) {
  const clock = createManualClock(0);
  const asked: [rail: string, answer: string, latencyMs: number][] = [];
  const confirm = withParts(confirmTransfer, {
    store: {
      findTransfer: async ({ transferKey }) =>
        recorded.includes(transferKey) ? (NOTIFIED as RecordedTransfer) : undefined,
    },
    clock,
    queries: { inFlight: 0 },
    onAsked: (...about) => asked.push(about),
  });
  return { clock, asked, confirm };
}

const settled = () => new Promise(setImmediate);

describe('confirmation of an unauthenticated transfer', () => {
  it('an unauthenticated transfer is recorded as the bank confirms it, not as it was notified', async () => {
    const { confirm, asked } = open();
    assert.deepEqual(await confirm(NOTIFIED, confirms), { kind: 'confirmed', transfer: AS_LISTED });
    assert.deepEqual(asked, [['a_rail', 'confirmed', 0]]);
  });

  it('a transfer that is already recorded is confirmed without a query to the bank', async () => {
    const { confirm, asked } = open(NOTIFIED.transferKey);
    const answer = await confirm(NOTIFIED, () => assert.fail('the bank was asked'));
    assert.deepEqual([answer, asked], [{ kind: 'confirmed', transfer: NOTIFIED }, []]);
  });

  it('the bank is queried when a recorded transfer key arrives with another address', async () => {
    const { confirm, asked } = open(NOTIFIED.transferKey);
    await confirm({ ...NOTIFIED, payTo: '2' }, confirms);
    assert.equal(asked.length, 1);
  });

  it('a transfer recorded as the second transfer with its key is confirmed without a query to the bank', async () => {
    const { confirm, asked } = open(NOTIFIED.transferKey, `${NOTIFIED.transferKey}/2`);
    await confirm({ ...NOTIFIED, payTo: '2' }, confirms);
    assert.deepEqual(asked, []);
  });

  it('the bank is queried about a recorded transfer that returns an order, because it may still reverse a payout', async () => {
    const { confirm, asked } = open(NOTIFIED.transferKey);
    await confirm({ ...NOTIFIED, returnOf: '1-AbCd1234' }, confirms);
    assert.equal(asked.length, 1);
  });

  it('a transfer stays unconfirmed if the bank does not respond within five seconds', async () => {
    const { clock, confirm, asked } = open();
    const answer = confirm(NOTIFIED, isSilent);
    await settled();
    clock.advance(5 * SECOND_MS);
    assert.equal((await answer).kind, 'unconfirmed');
    assert.deepEqual(asked, [['a_rail', 'unconfirmed', 5_000]]);
  });

  it('a transfer is postponed immediately, not queued, while sixteen other transfers wait for the bank', async () => {
    const { clock, confirm, asked } = open();
    const waiting = Array.from({ length: 16 }, () => confirm(NOTIFIED, isSilent));
    await settled();
    assert.deepEqual(await confirm(NOTIFIED, confirms), { kind: 'overloaded' });
    clock.advance(5 * SECOND_MS);
    await Promise.all(waiting);
    assert.equal(asked.length, 16);
    assert.equal((await confirm(NOTIFIED, confirms)).kind, 'confirmed', 'the limit has room again');
  });

  it('a query that throws does not use up the limit of concurrent queries', async () => {
    const { confirm } = open();
    for (let tries = 0; tries < 20; tries++) {
      await assert.rejects(
        confirm(NOTIFIED, () => Promise.reject(new TypeError('a bug'))),
        TypeError,
      );
    }
    assert.equal((await confirm(NOTIFIED, confirms)).kind, 'confirmed');
  });
});
