import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HISTORY_REASONS } from '../../../../contract/texts/history-reasons.ts';
import type { Money } from '../../../foundation/money.ts';
import type { Route } from '../../routing/route-store.ts';
import type { HistoryReason } from '../history-reason.ts';
import { type RankingParts, type RoutableRail, type RouteSubject, rankRails } from './rank-rails.ts';

const EUR_100: Money = { currency: 'EUR', minor: 10_000n };
const active = { merchantId: 'm', state: 'active' } as const;

function rail(name: string, change: Partial<RoutableRail> = {}): RoutableRail {
  return { name, methods: new Set([9]), simulated: false, ...change };
}

function route(railName: string, change: Partial<Route> = {}): Route {
  const open = { minAmount: null, maxAmount: null, costFixed: 0n, costPercent: 0n };
  return { method: 9, merchantId: null, rail: railName, rank: 1, weight: null, ...open, ...change };
}

const ALL = [rail('a'), rail('b'), rail('c')];

function ranking(parts: Partial<RankingParts> = {}, subject: Partial<RouteSubject> = {}, merchant = active) {
  return rankRails({ rails: ALL, routes: [], heldBack: () => undefined, ...parts }, merchant, {
    method: 9,
    money: EUR_100,
    fields: new Set(),
    accountShown: '510000******0003',
    draw: 0,
    ...subject,
  });
}

function textOf(reasons: readonly HistoryReason[]): string {
  return reasons.map(([code, ...values]) => HISTORY_REASONS[code](...values)).join('; ');
}

describe('the ranking of rails', () => {
  it('payouts of a method without routes use the rails in the order of the registry', () => {
    const { rails, why } = ranking();
    assert.deepEqual(rails, ['a', 'b', 'c']);
    assert.equal(textOf(why), 'a: the first of the configured rails; then b, c');
    assert.equal(textOf(ranking({ rails: [rail('a')] }).why), 'a: the only rail for the method');
  });

  it('routes order the rails by rank, and a rail without a route is left out', () => {
    const { rails, why } = ranking({ routes: [route('b', { rank: 2 }), route('c', { rank: 1 })] });
    assert.deepEqual(rails, ['c', 'b']);
    assert.equal(textOf(why), 'c: the first rank; then b');
  });

  it('a merchant’s own routes replace the common routes', () => {
    const routes = [route('a'), route('b', { merchantId: 'm' }), route('c', { merchantId: 'other' })];
    assert.deepEqual(ranking({ routes }).rails, ['b']);
    assert.deepEqual(
      rankRails(
        { rails: ALL, routes, heldBack: () => undefined },
        { merchantId: 'x', state: 'active' },
        {
          method: 9,
          money: EUR_100,
          fields: new Set<string>(),
          accountShown: '',
          draw: 0,
        },
      ).rails,
      ['a'],
    );
  });

  it('rails of equal rank are tried in the order of their cost for the amount', () => {
    const routes = [
      route('a', { costFixed: 50n }),
      route('b', { costPercent: 4_000n }),
      route('c', { costFixed: 45n }),
    ];
    const { rails, why } = ranking({ routes });
    assert.deepEqual(rails, ['b', 'c', 'a']);
    assert.equal(textOf(why), 'b: the cheapest of its rank; then c, a');
    assert.deepEqual(ranking({ routes }, { money: { currency: 'EUR', minor: 100_000n } }).rails, ['c', 'a', 'b']);
  });

  it('weights divide payouts among rails of equal rank, and the rail that was not drawn is tried next', () => {
    const routes = [route('a', { weight: 80 }), route('b', { weight: 20 }), route('c', { rank: 2 })];
    const counts = new Map<string, number>();
    for (let step = 0; step < 1_000; step++) {
      const [first = ''] = ranking({ routes }, { draw: step / 1_000 }).rails;
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    assert.deepEqual(
      [...counts],
      [
        ['a', 800],
        ['b', 200],
      ],
    );
    assert.equal(textOf(ranking({ routes }, { draw: 0.9 }).why), 'b: drawn by weight, 20 of 100; then a, c');
  });

  it('a rail that is held back comes last, and the reason states it', () => {
    const { rails, why } = ranking({ heldBack: (name) => (name === 'a' ? 'closed' : undefined) });
    assert.deepEqual(rails, ['b', 'c', 'a']);
    assert.equal(textOf(why), 'b: the first of the configured rails; a would come first but is closed; then c, a');
  });

  it('a rail that cannot carry the payout is left out, and the reason states the obstacle', () => {
    const routes = [route('a', { maxAmount: 9_999n }), route('b', { minAmount: 10_001n }), route('c'), route('gone')];
    const { rails, obstacles, why } = ranking({
      routes,
      rails: [rail('a'), rail('b'), rail('c', { needs: ['full_name'] })],
    });
    assert.deepEqual(rails, []);
    assert.deepEqual(obstacles, [
      ['amount_up_to', 'a', '99.99'],
      ['amount_from', 'b', '100.01'],
      ['needs', 'c', 'full_name'],
      ['not_configured', 'gone'],
    ]);
    assert.equal(
      textOf(why),
      'no rail; not a: accepts amounts up to 99.99; not b: accepts amounts from 100.01; not c: needs full_name; not gone: not configured for it',
    );
  });

  it('a payout at exactly the limits and with every required field is accepted by a rail', () => {
    const routes = [route('a', { minAmount: 10_000n, maxAmount: 10_000n })];
    const named = { rails: [rail('a', { needs: ['full_name'] })], routes };
    assert.deepEqual(ranking(named, { fields: new Set(['full_name']) }).rails, ['a']);
  });

  it('fallback rails of a method come last, unless routes say otherwise', () => {
    const rails = [rail('a', { fallbackFor: new Set([9]) }), rail('b', { fallbackFor: new Set([8]) }), rail('c')];
    assert.deepEqual(ranking({ rails }).rails, ['b', 'c', 'a']);
    assert.deepEqual(ranking({ rails, routes: [route('a'), route('b', { rank: 2 })] }).rails, ['a', 'b']);
  });

  it('a rail that cannot pay the account is left out', () => {
    const visa = { scheme: 'Visa', include: (account: string) => account.startsWith('4') };
    const rails = [rail('a', { accounts: visa }), rail('b', { needs: ['full_name'] })];
    assert.deepEqual(ranking({ rails }, { accountShown: '411111******1111' }).rails, ['a']);
    const { rails: none, why } = ranking({ rails });
    assert.deepEqual(none, []);
    assert.equal(textOf(why), 'no rail; not a: pays Visa cards only; not b: needs full_name');
  });

  it('a merchant in test reaches simulated rails only', () => {
    const rails = [rail('a'), rail('b', { simulated: true })];
    const { rails: ranked, obstacles } = rankRails(
      { rails, routes: [], heldBack: () => undefined },
      { merchantId: 'm', state: 'test' },
      {
        method: 9,
        money: EUR_100,
        fields: new Set<string>(),
        accountShown: '',
        draw: 0,
      },
    );
    assert.deepEqual(ranked, ['b']);
    assert.deepEqual(obstacles, [['real_money', 'a']]);
  });
});
