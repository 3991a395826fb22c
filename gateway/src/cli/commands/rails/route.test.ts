import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { RouteRejection } from '../../../domain/routing/edit-routes.ts';
import type { Route } from '../../../domain/routing/route-store.ts';
import { fail, ok } from '../../../foundation/result.ts';

test('route set stores amounts in the method’s currency', async () => {
  const laid: Route[] = [];
  const operations: Deep<GatewayOperations> = {
    methods: { currencyOf: (method) => (method === 9 ? 'EUR' : undefined) },
    routes: {
      read: async () => ({ routes: laid, hours: [] }),
      set: async (route) => ok(laid[laid.push(route) - 1] ?? route),
      remove: async () => fail({ kind: 'no_such_route' }),
    },
  };
  const set = 'route set 9 bank --rank 2 --weight 80 --min 1 --max 500.5 --cost-fixed 0.25 --cost-percent 1.25';
  assert.equal((await run(set, operations)).stdout, '✓ Payouts of method 9 may use bank, rank 2.\n');
  const limits = { minAmount: 100n, maxAmount: 50_050n, costFixed: 25n, costPercent: 12_500n };
  assert.deepEqual(laid, [{ method: 9, rail: 'bank', merchantId: null, rank: 2, weight: 80, ...limits }]);
  assert.match(
    (await run('route list', operations)).stdout,
    /9 EUR +all merchants +2 +bank +80 +1\.00 to 500\.50 +0\.25 \+ 1\.25 %/,
  );
  assert.deepEqual(JSON.parse((await run('route list --json', operations)).stdout), [
    {
      method: 9,
      currency: 'EUR',
      merchantId: null,
      rail: 'bank',
      rank: 2,
      weight: 80,
      min: '1.00',
      max: '500.50',
      costFixed: '0.25',
      costPercent: '1.25',
    },
  ]);
  assert.match((await run('route set 77 bank', operations)).stderr, /^No payout method has the number 77/);
  assert.match((await run('route set 9 bank --min x', operations)).stderr, /^--min must match/);
  assert.match((await run('route remove 9 bank', operations)).stderr, /^The method has no route over this rail/);
});

test('route set prints one sentence for each kind of rejection', async () => {
  const refusals: readonly (readonly [RouteRejection, RegExp])[] = [
    [{ kind: 'no_such_rail', rails: ['bank'] }, /^No rail is called "moon"\. Rails: bank\./],
    [{ kind: 'method_not_carried', methods: [8] }, /^moon does not carry that method\. It carries 8\./],
    [{ kind: 'merchant_not_found' }, /^No merchant has this id/],
    [{ kind: 'limits_crossed' }, /^--min must not exceed max/],
  ];
  for (const [refusal, sentence] of refusals) {
    const operations: Deep<GatewayOperations> = {
      methods: { currencyOf: () => 'EUR' },
      routes: { read: async () => ({ routes: [], hours: [] }), set: async () => fail(refusal) },
    };
    assert.match((await run('route set 9 moon', operations)).stderr, sentence);
  }
});
