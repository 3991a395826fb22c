import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { createManualClock } from '../../../foundation/clock.ts';
import type { Pause } from '../../routing/pause-store.ts';
import type { Route } from '../../routing/route-store.ts';
import type { MerchantPayout, Payout } from '../payout.ts';
import { createRailChoice, type RailChoiceParts } from './rail-choice.ts';
import type { RoutableRail } from './rank-rails.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const merchant = merchantNamed('m');
const everywhere = () => false;

function rail(name: string, change: Partial<RoutableRail> = {}): RoutableRail {
  return { name, methods: new Set([9]), simulated: false, ...change };
}

function choice(change: Partial<RailChoiceParts> = {}) {
  const clock = createManualClock(NOON);
  const table = async () => ({ routes: [], hours: [] });
  return createRailChoice({
    rails: [rail('a'), rail('b'), rail('c')],
    table,
    pauses: async () => [],
    clock,
    ...change,
  });
}

function payout(change: Partial<MerchantPayout> = {}): MerchantPayout {
  return {
    merchantId: 'm',
    payoutId: 'P',
    transactionId: 1,
    purpose: 'payout',
    method: 9,
    money: { currency: 'EUR', minor: 1_000n },
    amountText: '10.00',
    fee: 0n,
    rail: 'a',
    contentHash: Buffer.alloc(32),
    beneficiary: { accountShown: '', fields: {}, vaultToken: null },
    state: 'pending',
    blockedReason: null,
    acceptedAt: NOON,
    finishedAt: null,
    ...change,
  };
}

const paused = (...targets: string[]): Pause[] =>
  targets.map((target) => ({ scope: 'rail', target, since: 0, reason: '' }));

describe('the rail choice for a new payout', () => {
  it('a new payout uses the first rail in order and records the reason', async () => {
    assert.deepEqual(await choice().choose(merchant, payout()), {
      ok: true,
      value: {
        rail: 'a',
        why: [
          ['first_rail', 'a'],
          ['others', 'b', 'c'],
        ],
      },
    });
  });

  it('a new payout prefers a rail that is not paused, and queues if all are', async () => {
    const chosen = await choice({ pauses: async () => paused('a') }).choose(merchant, payout());
    assert.equal(chosen.ok && chosen.value.rail, 'b');
    const waits = await choice({ pauses: async () => paused('a', 'b', 'c') }).choose(merchant, payout());
    assert.equal(waits.ok && waits.value.rail, 'a');
  });

  it('a payout without a usable rail is rejected with the obstacle that the merchant can remove most easily', async () => {
    const rejection = async (parts: Partial<RailChoiceParts>, who = merchant) => {
      const chosen = await choice(parts).choose(who, payout());
      return chosen.ok ? undefined : chosen.error;
    };
    const route: Route = {
      method: 9,
      merchantId: null,
      rail: 'a',
      rank: 1,
      weight: null,
      minAmount: 2_000n,
      maxAmount: null,
      costFixed: 0n,
      costPercent: 0n,
    };
    assert.deepEqual(await rejection({ rails: [] }), { kind: 'method_unavailable' });
    assert.deepEqual(await rejection({}, merchantNamed('m', { settings: { disabled_methods: '9' } })), {
      kind: 'method_unavailable',
    });
    assert.deepEqual(await rejection({ table: async () => ({ routes: [route], hours: [] }) }), {
      kind: 'amount_out_of_limits',
    });
    const visa = rail('v', { accounts: { scheme: 'Visa', include: (account) => account.startsWith('4') } });
    const named = rail('n', { needs: ['full_name'] });
    assert.deepEqual(await rejection({ rails: [visa] }), { kind: 'invalid_field', field: 'account' });
    for (const rails of [[named], [visa, named]])
      assert.deepEqual(await rejection({ rails }), { kind: 'invalid_field', field: 'full_name' });
  });
});

describe('the next rail of a payout', () => {
  const nextRail = (
    from: string,
    parts: Partial<RailChoiceParts> = {},
    isDown = everywhere as (rail: string) => boolean,
  ) => choice(parts).nextRail(merchant, payout({ rail: from }), isDown);

  it('a payout that its rail did not accept moves to the next rail in order, and from the last to the first', async () => {
    assert.deepEqual(await nextRail('a'), { rail: 'b', isFirstAgain: false });
    assert.deepEqual(await nextRail('b'), { rail: 'c', isFirstAgain: false });
    assert.deepEqual(await nextRail('c'), { rail: 'a', isFirstAgain: true });
  });

  it('a payout that its rail did not accept skips paused and failing rails', async () => {
    assert.deepEqual(await nextRail('a', { pauses: async () => paused('b') }), { rail: 'c', isFirstAgain: false });
    assert.deepEqual(await nextRail('a', {}, (name) => name === 'b'), { rail: 'c', isFirstAgain: false });
    assert.equal(await nextRail('a', {}, () => true), undefined);
  });

  it('a payout stays at its rail if no other rail carries its method', async () => {
    assert.equal(await nextRail('a', { rails: [rail('a'), rail('b', { methods: new Set([8]) })] }), undefined);
  });

  it('a refund never leaves the rail of its payment', async () => {
    const refund: Payout = { ...payout(), purpose: 'refund', method: null };
    assert.equal(await choice().nextRail(merchant, refund, everywhere), undefined);
  });

  it('payouts may leave a rail only for a rail that carries their method and is neither paused nor failing', async () => {
    const two = choice({ rails: [rail('a', { methods: new Set([8]) }), rail('b', { methods: new Set([8, 9]) })] });
    assert.equal(await two.canReroute('a', everywhere), true);
    assert.equal(await two.canReroute('a', (name) => name === 'b'), false);
    assert.equal(await choice({ rails: [rail('a')] }).canReroute('a', everywhere), false);
    assert.equal(await choice({ pauses: async () => paused('b') }).canReroute('a', (name) => name === 'c'), false);
  });
});
