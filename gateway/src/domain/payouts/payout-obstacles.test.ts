import assert from 'node:assert/strict';
import { it } from 'node:test';
import { againstAsking, type PayoutObstacleParts } from './payout-obstacles.ts';
import type { PayoutRecord } from './payout-record-store.ts';

it('a provider can be queried about a payout while the rail of any of its attempts is configured', () => {
  const rails = [{ name: 'configured' }] as unknown as PayoutObstacleParts['rails'];
  const against = (...names: string[]) =>
    againstAsking({ rails }, { attempts: names.map((rail) => ({ rail })) as unknown as PayoutRecord['attempts'] });
  assert.deepEqual(against(), { kind: 'never_sent' });
  assert.deepEqual(against('gone', 'removed'), { kind: 'rail_not_configured', rail: 'removed' });
  assert.equal(against('configured', 'removed'), null);
  assert.equal(against('removed', 'configured'), null);
});
