import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, DAY_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import type { PayoutOrder, PayoutRail } from '../payouts/payout-rail.ts';
import type { PayoutRecord } from '../payouts/payout-record-store.ts';
import { askPayout } from './ask-payout.ts';

const KEY = { merchantId: 'M', payoutId: 'refund:1' };
const SENT_AT = 1_000;
const ASKED_AT = SENT_AT + 30 * DAY_MS;

/** An operator's query about one refund, long after it was sent. */
function openScene(asksBySending: boolean, stage: string | null) {
  const orders: PayoutOrder[] = [];
  const rail = {
    name: 'bank',
    timeoutMs: 1_000,
    asksBySending,
    async ask(order: PayoutOrder) {
      orders.push(order);
      return { kind: 'pending' };
    },
  } as unknown as PayoutRail;
  const payout = {
    ...KEY,
    purpose: 'refund',
    method: null,
    money: { currency: 'EUR', minor: 1_000n },
    rail: 'bank',
    state: stage === null ? 'success' : 'pending',
    beneficiary: { accountShown: '', fields: {} },
  };
  const attempts = [{ rail: 'bank', reference: 'R1', startedAt: SENT_AT }];
  const found = { payout, attempts, adjustments: [], job: stage === null ? null : { stage } };
  const ask = withParts(askPayout, {
    records: { record: async () => found as unknown as PayoutRecord },
    rails: [rail],
    settle: () => assert.fail('a pending answer reports nothing'),
    clock: createManualClock(ASKED_AT),
    onAsked: () => {},
  });
  return { orders, ask: () => ask(KEY, null) };
}

describe('an operator’s query about a payout', () => {
  it('the gateway sends no query that would send a refund again, unless that refund is in flight', async () => {
    for (const stage of [null, 'queued', 'awaiting_approval', 'sending']) {
      const { orders, ask } = openScene(true, stage);
      const asked = await ask();
      assert.ok(asked.ok);
      assert.match(asked.value.theirs, /^not asked: /);
      assert.deepEqual([asked.value.changed, orders], [false, []], String(stage));
    }
  });

  it('a query carries the time of the attempt, so that a rail sees how old its request is', async () => {
    for (const [asksBySending, stage] of [
      [true, 'unknown'],
      [true, 'at_bank'],
      [false, null],
    ] as const) {
      const { orders, ask } = openScene(asksBySending, stage);
      assert.ok((await ask()).ok);
      assert.deepEqual(
        orders.map(({ reference, sendUntil, writtenFrom }) => [reference, sendUntil, writtenFrom]),
        [['R1', ASKED_AT, SENT_AT]],
      );
    }
  });
});
