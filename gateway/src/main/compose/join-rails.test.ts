import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { type PayoutOrder, type PayoutRail, statusCallOf } from '../../domain/payouts/payout-rail.ts';
import { joinRails } from './join-rails.ts';

/** Answers with its label, so that a test sees which rail was called. */
function rail(label: string, methods: readonly number[], change: Partial<PayoutRail> = {}): PayoutRail {
  return {
    name: 'acme',
    methods: new Set(methods),
    simulated: true,
    notifies: false,
    timeoutMs: 1_000,
    notFoundProofMs: 5_000,
    askAfterMs: [100],
    concurrency: 2,
    send: async () => ({ kind: 'unknown', reason: `${label} was sent it` }),
    ask: async () => ({ kind: 'unknown', reason: `${label} was asked` }),
    ...change,
  };
}

const REFUND = new Set(['refund'] as const);
const PAYOUT_ORDER = { purpose: 'payout', method: 92 } as PayoutOrder;
const REFUND_ORDER = { purpose: 'refund', method: null } as PayoutOrder;

describe('joinRails', () => {
  const [joined, ...others] = joinRails([
    rail('payouts', [92], { notifies: true, concurrency: 1 }),
    rail('refunds', [], { ownPurposes: REFUND, timeoutMs: 3_000, askAfterMs: [9_000] }),
  ]);
  assert.ok(joined);

  it('joinRails merges two rails of one name into one rail with the methods and purposes of both', () => {
    assert.deepEqual(others, []);
    assert.deepEqual([joined.name, joined.methods, joined.ownPurposes], ['acme', new Set([92]), REFUND]);
  });

  it('a joined rail sends and queries each payout through the rail it came from', async () => {
    const said = [];
    for (const order of [PAYOUT_ORDER, REFUND_ORDER]) {
      said.push(await joined.send(order, noDeadline()), await joined.ask(order, noDeadline()));
    }
    assert.deepEqual(
      said.map((answer) => 'reason' in answer && answer.reason),
      ['payouts was sent it', 'payouts was asked', 'refunds was sent it', 'refunds was asked'],
    );
  });

  it('a joined rail repeats only payouts of a part that supports repeats, and queries all other payouts', async () => {
    const repeat = async () => ({ kind: 'unknown', reason: 'refunds were repeated' }) as const;
    const [rails] = joinRails([rail('payouts', [92]), rail('refunds', [], { ownPurposes: REFUND, repeat })]);
    assert.ok(rails?.repeat);
    assert.deepEqual(
      [PAYOUT_ORDER, REFUND_ORDER].map((order) => statusCallOf(rails, order)),
      ['ask', 'repeat'],
    );
    assert.deepEqual(await rails.repeat(REFUND_ORDER, noDeadline()), await repeat());
    const [mixed] = joinRails([
      rail('returns', [], { ownPurposes: new Set(['return']) }),
      rail('refunds', [], { ownPurposes: REFUND, repeat }),
    ]);
    const asked = await mixed?.repeat?.({ ...REFUND_ORDER, purpose: 'return' }, noDeadline());
    assert.deepEqual(asked, { kind: 'unknown', reason: 'returns was asked' });
  });

  it('a rail joined from two parts has the longer of their time limits', () => {
    const { notifies, timeoutMs, notFoundProofMs, askAfterMs, concurrency } = joined;
    assert.deepEqual(
      { notifies, timeoutMs, notFoundProofMs, askAfterMs, concurrency },
      { notifies: true, timeoutMs: 3_000, notFoundProofMs: 5_000, askAfterMs: [100], concurrency: 1 },
    );
  });

  it('joinRails throws when two rails of one name share a method or a purpose', () => {
    assert.throws(() => joinRails([rail('one', [92]), rail('other', [92, 93])]), /carry the same method/);
    const refunds = rail('refunds', [], { ownPurposes: REFUND });
    assert.throws(() => joinRails([refunds, refunds]), /carry the same purpose/);
    assert.throws(() => joinRails([rail('one', [92]), rail('other', [93], { simulated: false })]), /is simulated/);
  });
});

it('joinRails leaves rails of different names unchanged', () => {
  const rails = [rail('one', [8]), rail('other', [8], { name: 'other' })];
  assert.deepEqual(joinRails(rails), rails);
});
