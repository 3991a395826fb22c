import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NO_KEYS } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { removeRoute, setHours, setRoute } from './edit-routes.ts';
import { readOpeningHours } from './opening-hours.ts';
import { PAUSES_KNOWN_AFTER_MS } from './pauses.ts';
import type { Route, RouteStore } from './route-store.ts';

const NOW = Date.UTC(2026, 10, 20);

function laying() {
  const stored: unknown[] = [];
  const store: RouteStore = {
    read: async () => ({ routes: [], hours: [] }),
    set: async (route) => {
      stored.push(route.rail);
      return true;
    },
    remove: async () => 'none',
    setHours: async (rail, hours, at) => {
      stored.push([rail, hours?.text ?? null, at]);
    },
  };
  const rails = [{ name: 'a', methods: new Set([9]), simulated: false }];
  const find = async (merchantId: string) =>
    merchantId === 'm' ? { merchant: merchantNamed('m'), keys: NO_KEYS } : undefined;
  return {
    stored,
    parts: { store, rails: async () => rails, merchants: { find }, clock: createManualClock(NOW) },
  };
}

function route(change: Partial<Route> = {}): Route {
  const open = { minAmount: null, maxAmount: null, costFixed: 0n, costPercent: 0n };
  return { method: 9, merchantId: null, rail: 'a', rank: 1, weight: null, ...open, ...change };
}

it('a route that a rail can carry is stored, for all merchants or one existing merchant', async () => {
  const { stored, parts } = laying();
  assert.ok((await setRoute(parts, route())).ok);
  assert.ok((await setRoute(parts, route({ merchantId: 'm', minAmount: 5n, maxAmount: 5n }))).ok);
  assert.equal(stored.length, 2);
});

it('a route or opening hours that no rail can have are rejected and not stored', async () => {
  const { stored, parts } = laying();
  const refusals: readonly (readonly [Partial<Route>, object])[] = [
    [{ rail: 'moon' }, { kind: 'no_such_rail', rails: ['a'] }],
    [{ method: 8 }, { kind: 'method_not_carried', methods: [9] }],
    [{ merchantId: 'nobody' }, { kind: 'merchant_not_found' }],
    [{ minAmount: 6n, maxAmount: 5n }, { kind: 'limits_crossed' }],
  ];
  for (const [change, error] of refusals) assert.deepEqual(await setRoute(parts, route(change)), { ok: false, error });
  assert.deepEqual(await removeRoute(parts, 9, null, 'a'), { ok: false, error: { kind: 'no_such_route' } });
  assert.equal((await setHours(parts, 'moon', null)).ok, false);
  assert.deepEqual(stored, []);
});

it('new opening hours make the rail’s waiting payouts due once every worker has read them', async () => {
  const { stored, parts } = laying();
  const hours = readOpeningHours('Mon-Fri 08:30-17:00 UTC') ?? null;
  await setHours(parts, 'a', hours);
  assert.deepEqual(stored, [['a', 'Mon-Fri 08:30-17:00 UTC', NOW + PAUSES_KNOWN_AFTER_MS]]);
});
