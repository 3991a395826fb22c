import assert from 'node:assert/strict';
import { test } from 'node:test';
import { railSetupsOf } from './rail-setups.ts';

const none = { environment: 'production', variables: {}, textOf: () => null } as const;
const given = { ...none, variables: { WAYFORPAY_URL: 'https://provider.example', WAYFORPAY_SECRET_KEY: '' } };

function statesOf(rail: string, surroundings: Parameters<typeof railSetupsOf>[0]) {
  const { variables = [] } = railSetupsOf(surroundings).find(({ name }) => name === rail) ?? {};
  return Object.fromEntries(variables.map(({ name, state }) => [name, state]));
}

test('a rail’s list of configuration variables marks a required variable as missing if it is unset', () => {
  assert.deepEqual(statesOf('wayforpay', given), {
    WAYFORPAY_URL: 'set',
    WAYFORPAY_MERCHANT_ACCOUNT: 'missing',
    WAYFORPAY_SECRET_KEY: 'missing',
    WAYFORPAY_CONCURRENCY: 'optional',
  });
  assert.equal(statesOf('pix', none)['PIX_ALLOW_LIST'], 'missing');
});

test('every rail except the sandbox requires at least one configuration variable', () => {
  assert.deepEqual(statesOf('sandbox', none), {});
  assert.ok(railSetupsOf(none).every(({ variables }) => variables.some(({ state }) => state === 'missing')));
});
