import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PLAIN_VAULT } from '../../../test/support/secrets/plain-vault.ts';
import { createManualClock, DAY_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import type { Payout } from '../payouts/payout.ts';
import type { PayoutOrder, PayoutRail, StatusCall } from '../payouts/payout-rail.ts';
import type { PayoutRecord } from '../payouts/payout-record-store.ts';
import { sealOf } from '../payouts/payout-seal.ts';
import { askPayout } from './ask-payout.ts';

const KEY = { merchantId: 'M', payoutId: 'refund:1' };
const SENT_AT = 1_000;
const ASKED_AT = SENT_AT + 30 * DAY_MS;

const REFUND = {
  ...KEY,
  purpose: 'refund',
  method: null,
  money: { currency: 'EUR', minor: 1_000n },
  rail: 'bank',
  beneficiary: { accountShown: '', fields: {}, vaultToken: null },
} as unknown as Payout;

/** What a row differs in from the accepted one. */
interface Change {
  readonly minor?: bigint;
  readonly reference?: string;
  readonly rail?: string;
  readonly seal?: Buffer | null;
}

const CHANGED: readonly (readonly [StatusCall, stage: string | null, Change])[] = [
  ...[{ minor: 9_000n }, { reference: 'R2' }, { rail: 'other_bank' }, { seal: null }].flatMap((change) => [
    ['repeat', 'unknown', change] as const,
    ['ask', 'unknown', change] as const,
  ]),
  ['ask', null, { reference: 'R2' }],
];

/** An operator's query about one refund, long after it was sent. */
function openScene(
  call: StatusCall,
  stage: string | null,
  { minor = 1_000n, reference = 'R1', rail: name = 'bank', seal = sealOf(PLAIN_VAULT, REFUND) }: Change = {},
) {
  const orders: PayoutOrder[] = [];
  const rail = {
    name,
    timeoutMs: 1_000,
    async [call](order: PayoutOrder) {
      orders.push(order);
      return { kind: 'pending' };
    },
  } as unknown as PayoutRail;
  const payout = {
    ...REFUND,
    rail: name,
    money: { currency: 'EUR', minor },
    state: stage === null ? 'success' : 'pending',
  };
  const attempts = [{ rail: name, reference, startedAt: SENT_AT }];
  const found = { payout, attempts, adjustments: [], job: stage === null ? null : { stage } };
  const ask = withParts(askPayout, {
    payoutRecords: { record: async () => found as unknown as PayoutRecord, seal: async () => seal },
    rails: [rail],
    vault: PLAIN_VAULT,
    referenceOf: () => 'R1',
    sendsUnsealed: false,
    settle: () => assert.fail('a pending answer reports nothing'),
    clock: createManualClock(ASKED_AT),
    onRailCall: () => {},
  });
  return { orders, ask: () => ask(KEY, null) };
}

describe('an operator’s query about a payout', () => {
  it('the gateway does not send a query that would send a refund again, unless that refund is in flight', async () => {
    for (const stage of [null, 'queued', 'awaiting_approval', 'sending']) {
      const { orders, ask } = openScene('repeat', stage);
      const asked = await ask();
      assert.ok(asked.ok);
      assert.match(asked.value.theirs, /^not queried: .* not in flight/);
      assert.deepEqual([asked.value.changed, orders], [false, []], String(stage));
    }
  });

  it('the gateway does not send a query about a payout whose row was changed', async () => {
    for (const [call, stage, change] of CHANGED) {
      const { orders, ask } = openScene(call, stage, change);
      const asked = await ask();
      assert.ok(asked.ok);
      assert.match(asked.value.theirs, /^not queried: its row was changed/);
      assert.deepEqual(
        orders,
        [],
        JSON.stringify(change, (_, value) => String(value)),
      );
    }
  });

  it('the gateway queries a final payout that a version without seals accepted', async () => {
    const { orders, ask } = openScene('ask', null, { seal: null });
    assert.ok((await ask()).ok);
    assert.equal(orders.length, 1);
  });

  it('a user’s query contains the time of the attempt, and never confirms a payout that its bank holds', async () => {
    for (const [call, stage] of [
      ['repeat', 'unknown'],
      ['repeat', 'at_bank'],
      ['ask', null],
    ] as const) {
      const { orders, ask } = openScene(call, stage);
      assert.ok((await ask()).ok);
      assert.deepEqual(
        orders.map(({ reference, sendUntil, writtenFrom, mayConfirm }) => [
          reference,
          sendUntil,
          writtenFrom,
          mayConfirm,
        ]),
        [['R1', ASKED_AT, SENT_AT, undefined]],
      );
    }
  });
});
