import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { NOWHERE_ELSE, scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import {
  claimOf,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
} from '../../../test/support/payouts/stored-payouts.ts';
import { PLAIN_VAULT } from '../../../test/support/secrets/plain-vault.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';
import { settlePayout } from '../../domain/payouts/settle-payout.ts';
import { createDeadlines } from '../../foundation/deadline.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createRailBreaker } from './rail-breaker.ts';
import { sendClaimed } from './send-claimed.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

/** A worker sends a payout, and the bank responds only after another worker has claimed it. Returns the state of the payout. */
async function afterLateAnswer(payoutId: string, answer: RailAnswer): Promise<string | undefined> {
  const { store, clock, database } = bench;
  const { rail, script } = scriptedRail(`rail-${payoutId}`);
  const jobs = createPayoutJobStore(database, clock, REFERENCE_KEY);
  const merchant = merchantNamed('m');
  await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: rail.name }));
  const now = clock.now();
  const claim = { ...claimOf(rail.name, now, now + 60_000), sendUntil: now + 2 * rail.timeoutMs };
  const [held] = await jobs.claim(claim);
  assert(held?.isBegun);
  script.send = async () => {
    clock.advance(120_000);
    const [other] = await jobs.claim({ ...claim, now: clock.now(), leaseUntil: clock.now() + 60_000 });
    assert.equal(other?.payout.payoutId, payoutId);
    return answer;
  };
  const settle = withParts(settlePayout, {
    store,
    merchants: { find: async () => ({ merchant, keys: { api: [], form: [] } }) },
    compose: plainCallbacks,
    onSettled: () => {},
  });
  const parts = {
    ...NOWHERE_ELSE,
    rail,
    jobs,
    settle,
    clock,
    vault: PLAIN_VAULT,
    onSealBroken: () => {},
    merchant: async () => merchant,
    breaker: createRailBreaker(clock, { onOpened: () => {}, onClosed: () => {} }),
    deadlines: createDeadlines(clock, rail.timeoutMs),
    isDown: () => false,
    mayHaveAccepted: () => [rail],
    mayBeListedAt: () => [rail],
    onRailCall: () => {},
    clockIsRight: async () => true,
  };
  await sendClaimed(parts, held);
  return (await store.find({ merchantId: 'm', payoutId }))?.state;
}

it('a worker records an execution that a bank reports after the worker’s lease expired', async () => {
  assert.equal(await afterLateAnswer('executed', { kind: 'executed' }), 'success');
});

it('a worker ignores a decline that a bank reports after its lease expired, and the new holder queries the bank', async () => {
  assert.equal(
    await afterLateAnswer('declined', { kind: 'declined', blockedReason: 'bank_declined', reason: 'no' }),
    'pending',
  );
});
