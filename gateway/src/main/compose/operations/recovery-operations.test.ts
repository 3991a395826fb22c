/** The rails that a release after a restore asks. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { createManualClock } from '../../../foundation/clock.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { recoveryOperations } from './recovery-operations.ts';

const KEY = { merchantId: 'M1', payoutId: 'R1' };
const WORDS = { by: 'Ann', evidence: 'a letter' };
const METHOD = 5;

/** Releases a payout while the rails that `has` names have it. Returns the outcome and the rails that were queried. */
async function release(payout: Pick<Payout, 'purpose' | 'rail' | 'method'>, has: readonly string[]) {
  const asked: string[] = [];
  const railNamed = (name: string, carried: object) => ({
    ...{ name, timeoutMs: 1_000, methods: new Set<number>(), ...carried },
    async ask() {
      asked.push(name);
      return { kind: has.includes(name) ? 'executed' : 'not_found' };
    },
  });
  const refunds = { ownPurposes: new Set(['refund']) };
  const core = {
    clock: createManualClock(0),
    clockIsSteered: true,
    lineages: {},
    referenceOf: ({ rail }: { rail: string }) => `reference at ${rail}`,
    payoutRecords: {
      record: async () => ({ payout: { ...KEY, ...payout, acceptedAt: 0, beneficiary: {}, money: {} }, attempts: [] }),
    },
    recoveries: { latest: async () => undefined, release: async () => true },
    sendingRails: [
      railNamed('a_bank', { methods: new Set([METHOD]) }),
      railNamed('another_bank', { methods: new Set([METHOD]) }),
      railNamed('cards_refunds', refunds),
      railNamed('other_cards_refunds', refunds),
    ],
  };
  const operations = recoveryOperations(
    core as unknown as GatewayCore,
    { onRailCall: () => {} } as unknown as Hooks,
    {} as Publishing,
  );
  return { outcome: await operations.release(KEY, WORDS), asked };
}

it('the release of a refund queries only the rail of the refund', async () => {
  const refund = { purpose: 'refund', rail: 'cards_refunds', method: null } as const;
  assert.deepEqual(await release(refund, ['other_cards_refunds']), {
    outcome: { ok: true, value: 'released' },
    asked: ['cards_refunds'],
  });
  assert.deepEqual(await release(refund, ['cards_refunds']), {
    outcome: { ok: false, error: { kind: 'bank_has_it', rail: 'cards_refunds' } },
    asked: ['cards_refunds'],
  });
});

it('the release of a payout queries every rail of its method', async () => {
  const payout = { purpose: 'payout', rail: 'a_bank', method: METHOD } as const;
  assert.deepEqual(await release(payout, ['another_bank']), {
    outcome: { ok: false, error: { kind: 'bank_has_it', rail: 'another_bank' } },
    asked: ['a_bank', 'another_bank'],
  });
});
