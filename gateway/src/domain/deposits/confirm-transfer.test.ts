import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, SECOND_MS } from '../../foundation/clock.ts';
import { type AskForTransfer, createConfirmTransfer } from './confirm-transfer.ts';
import type { IncomingTransfer, RecordedTransfer } from './deposit.ts';

const TOLD: IncomingTransfer = {
  rail: 'a_rail',
  transferKey: 'K1',
  payTo: '1',
  money: { currency: 'MXN', minor: 6_000_000n },
  originator: { name: 'Ana', account: '1', institution: '2', concept: '', trackingKey: 'K1' },
  bookedAt: 0,
};
const AS_LISTED = { ...TOLD, originator: { ...TOLD.originator, account: '2' } };

const confirms: AskForTransfer = async () => ({ kind: 'confirmed', transfer: AS_LISTED });

/** Answers nothing before its time is over. */
const isSilent: AskForTransfer = ({ signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'unconfirmed', reason: 'no answer in time' }));
  });

/** `recorded`: the keys of the transfers that were recorded before. */
function open(...recorded: readonly string[]) {
  const clock = createManualClock(0);
  const asked: [rail: string, answer: string, latencyMs: number][] = [];
  const confirm = createConfirmTransfer({
    store: {
      findTransfer: async ({ transferKey }) =>
        recorded.includes(transferKey) ? (TOLD as RecordedTransfer) : undefined,
    },
    clock,
    onAsked: (...told) => asked.push(told),
  });
  return { clock, asked, confirm };
}

const settled = () => new Promise(setImmediate);

describe('a transfer that nothing vouches for', () => {
  it('is what the bank itself says of it, not what was told', async () => {
    const { confirm, asked } = open();
    assert.deepEqual(await confirm(TOLD, confirms), { kind: 'confirmed', transfer: AS_LISTED });
    assert.deepEqual(asked, [['a_rail', 'confirmed', 0]]);
  });

  it('needs no question when it was recorded before', async () => {
    const { confirm, asked } = open(TOLD.transferKey);
    const answer = await confirm(TOLD, () => assert.fail('the bank was asked'));
    assert.deepEqual([answer, asked], [{ kind: 'confirmed', transfer: TOLD }, []]);
  });

  it('is asked about although its key is recorded, when it went to another address', async () => {
    const { confirm, asked } = open(TOLD.transferKey);
    await confirm({ ...TOLD, payTo: '2' }, confirms);
    assert.equal(asked.length, 1);
  });

  it('needs no question when it was recorded as the namesake of another', async () => {
    const { confirm, asked } = open(TOLD.transferKey, `${TOLD.transferKey}/2`);
    await confirm({ ...TOLD, payTo: '2' }, confirms);
    assert.deepEqual(asked, []);
  });

  it('that brings back an order is asked about even so, since it may still reverse a payout', async () => {
    const { confirm, asked } = open(TOLD.transferKey);
    await confirm({ ...TOLD, returnOf: '1-AbCd1234' }, confirms);
    assert.equal(asked.length, 1);
  });

  it('is not confirmed by a bank that says nothing in five seconds', async () => {
    const { clock, confirm, asked } = open();
    const answer = confirm(TOLD, isSilent);
    await settled();
    clock.advance(5 * SECOND_MS);
    assert.equal((await answer).kind, 'unconfirmed');
    assert.deepEqual(asked, [['a_rail', 'unconfirmed', 5_000]]);
  });

  it('is put off at once while sixteen others wait, and never queues behind them', async () => {
    const { clock, confirm, asked } = open();
    const waiting = Array.from({ length: 16 }, () => confirm(TOLD, isSilent));
    await settled();
    assert.deepEqual(await confirm(TOLD, confirms), { kind: 'put_off' });
    clock.advance(5 * SECOND_MS);
    await Promise.all(waiting);
    assert.equal(asked.length, 16);
    assert.equal((await confirm(TOLD, confirms)).kind, 'confirmed', 'there is room again');
  });

  it('leaves its room to the next when asking breaks', async () => {
    const { confirm } = open();
    for (let tries = 0; tries < 20; tries++) {
      await assert.rejects(
        confirm(TOLD, () => Promise.reject(new TypeError('a bug'))),
        TypeError,
      );
    }
    assert.equal((await confirm(TOLD, confirms)).kind, 'confirmed');
  });
});
