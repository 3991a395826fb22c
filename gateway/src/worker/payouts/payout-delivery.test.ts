import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import {
  claimOf,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { PLAIN_VAULT } from '../../../test/support/secrets/plain-vault.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import { balanceOf } from '../../domain/ledger/transfer.ts';
import type { PayoutRail, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { SettlementFacts } from '../../domain/payouts/payout-store.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import type { Pause } from '../../domain/routing/pause-store.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import type { PayoutDelivery } from './payout-delivery.ts';

let bench: PayoutBench;
let rails = 0;

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});

after(() => bench.verifyAndClose());

interface Scene extends ReturnType<typeof scriptedRail> {
  readonly delivery: PayoutDelivery;
  readonly problems: string[];
  accept(payoutId: string): Promise<void>;
  /** Advances the clock until the payout is as wanted. Each step wakes the loops. */
  until(payoutId: string, wanted: { state?: string; stage?: string; note?: string }, stepMs?: number): Promise<void>;
  stage(payoutId: string): Promise<{ stage: string; note: string } | undefined>;
}

async function inScene(work: (scene: Scene) => Promise<void>, change: Partial<PayoutRail> = {}, pauses: Pause[] = []) {
  const scripted = scriptedRail(`rail${++rails}`, change);
  const { store, clock } = bench;
  const { delivery, problems } = deliverStored(bench, [scripted.rail], pauses);
  const stage = async (payoutId: string) => {
    const found = await bench.owner.query(
      'select stage, note from payout_jobs where merchant_id = $1 and payout_id = $2',
      ['m', payoutId],
    );
    return found.rows[0];
  };
  const scene: Scene = {
    ...scripted,
    delivery,
    problems,
    stage,
    async accept(payoutId) {
      await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: scripted.rail.name }));
    },
    async until(payoutId, wanted, stepMs = 100) {
      const isAsWanted = async () => {
        const payout = await store.find({ merchantId: 'm', payoutId });
        const job = await stage(payoutId);
        const now = { state: payout?.state, stage: job?.stage, note: job?.note };
        return Object.entries(wanted).every(([name, value]) => now[name as keyof typeof now] === value);
      };
      if (await untilAsTimeGoesBy(clock, stepMs, isAsWanted)) return;
      assert.fail(`${payoutId} never became ${JSON.stringify(wanted)}; it is ${JSON.stringify(await stage(payoutId))}`);
    },
  };
  delivery.start();
  try {
    await work(scene);
  } finally {
    await stopAsTimeGoesBy(clock, delivery);
  }
}

const isOf = (payoutId: string, { remittance }: { readonly remittance: string }) => remittance === `m/${payoutId}`;

describe('payout delivery to a bank', () => {
  it('a worker sends a payout to its bank once and records the outcome', () =>
    inScene(async (scene) => {
      await scene.accept('once');
      await scene.until('once', { state: 'success' });
      assert.deepEqual(
        scene.sent.map(({ remittance }) => remittance),
        ['m/once'],
      );
      assert.equal(scene.asked.length, 0);
    }));

  it('a payout executed and then reversed is blocked, and a later report of the execution has no effect', () =>
    inScene(async (scene) => {
      const availableBefore = balanceOf(await bench.ledger.balances('m', 'EUR'), 'available');
      scene.script.send = async () => ({ kind: 'unknown', reason: 'no response' });
      scene.script.ask = async () => ({ kind: 'reversed', reason: 'undone' });
      await scene.accept('undone');
      await scene.until('undone', { state: 'blocked' });
      const plan = (facts: SettlementFacts) =>
        planSettlement(facts, reportOf('executed'), { merchant: merchantNamed('m'), compose: plainCallbacks });
      await bench.store.settle({ merchantId: 'm', payoutId: 'undone', fence: null, plan });
      assert.equal(balanceOf(await bench.ledger.balances('m', 'EUR'), 'available'), availableBefore);
    }));

  it('a worker queries a payout that the bank left pending, and never sends it again', () =>
    inScene(async (scene) => {
      scene.script.send = async () => ({ kind: 'pending' });
      await scene.accept('open');
      await scene.until('open', { stage: 'at_bank' });
      scene.script.ask = async () => ({ kind: 'not_found' });
      await scene.until('open', { note: 'the bank no longer finds it' }, 5 * SECOND_MS);
      scene.script.ask = async () => ({ kind: 'executed' });
      await scene.until('open', { state: 'success' }, 5 * SECOND_MS);
      assert.equal(scene.sent.length, 1);
    }));

  it('a worker resends a payout under the same reference only after its bank provably never received it', () =>
    inScene(async (scene) => {
      const startedAt = bench.clock.now();
      scene.script.send = async () => ({ kind: 'unknown', reason: 'timed out' });
      await scene.accept('lost');
      await scene.until('lost', { stage: 'unknown' });
      await scene.until('lost', { note: 'not found yet' });
      assert.equal(scene.sent.length, 1);
      scene.script.send = async () => ({ kind: 'executed' });
      await scene.until('lost', { state: 'success' });
      assert.equal(scene.sent.length, 2);
      assert.equal(scene.sent[0]?.reference, scene.sent[1]?.reference);
      const { timeoutMs, notFoundProofMs } = scene.rail;
      assert.ok(bench.clock.now() - startedAt >= timeoutMs + notFoundProofMs, 'not before the deadline and the delay');
    }));

  it('a payout that its bank did not accept keeps the reason and is sent when the bank is back', () =>
    inScene(async (scene) => {
      scene.script.send = async () => ({ kind: 'not_accepted', reason: 'connection refused' });
      await scene.accept('down');
      await scene.until('down', { stage: 'queued', note: 'connection refused' });
      scene.script.send = async () => ({ kind: 'executed' });
      await scene.until('down', { state: 'success' });
    }));

  it('a bank that fails opens its breaker and then receives one payout at a time', () =>
    inScene(async (scene) => {
      let answer: RailAnswer = { kind: 'not_accepted', reason: 'connection refused' };
      let atOnce = 0;
      let most = 0;
      scene.script.send = async () => {
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setTimeout(resolve, 1));
        atOnce -= 1;
        return answer;
      };
      const ids = Array.from({ length: 12 }, (_, index) => `breaker${index}`);
      for (const id of ids) await scene.accept(id);
      // The worker may claim the first payouts before the last payout is accepted.
      const isOpen = async () =>
        scene.delivery.railStates().get(scene.rail.name)?.breaker === 'open' &&
        (await Promise.all(ids.map(scene.stage))).every((job) => job?.stage === 'queued');
      assert.ok(await untilAsTimeGoesBy(bench.clock, 100, isOpen), 'the breaker stayed closed');
      most = 0;
      answer = { kind: 'unknown', reason: 'HTTP 500' };
      const before = scene.sent.length;
      for (let step = 0; step < 30 && scene.sent.length === before; step++) {
        bench.clock.advance(SECOND_MS);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assert.equal(most, 1);
      answer = { kind: 'executed' };
      scene.script.ask = async () => ({ kind: 'executed' });
      for (const id of ids) await scene.until(id, { state: 'success' }, SECOND_MS);
    }));

  it('a bank that repeatedly fails for one payout keeps its breaker closed for others', () =>
    inScene(
      async (scene) => {
        scene.script.send = async (order) =>
          isOf('choking', order) ? { kind: 'unknown', reason: 'HTTP 500' } : { kind: 'executed' };
        scene.script.ask = async () => ({ kind: 'unknown', reason: 'HTTP 500' });
        await scene.accept('choking');
        assert.ok(
          await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => scene.asked.length >= 12),
          'the bank receives no further queries',
        );
        assert.equal(scene.delivery.railStates().get(scene.rail.name)?.breaker, 'closed');
        const acceptedAt = bench.clock.now();
        await scene.accept('beside');
        await scene.until('beside', { state: 'success' });
        assert.ok(bench.clock.now() - acceptedAt < 2 * SECOND_MS, 'other payouts do not wait');
        scene.script.ask = async () => ({ kind: 'executed' });
        await scene.until('choking', { state: 'success' }, SECOND_MS);
      },
      {
        askAfterMs: [5 * SECOND_MS],
      },
    ));

  it('payouts with a permanently unknown outcome do not delay later payouts', () =>
    inScene(
      async (scene) => {
        scene.script.send = async () => ({ kind: 'unknown', reason: 'HTTP 500' });
        scene.script.ask = async () => ({ kind: 'unknown', reason: 'it says nothing' });
        const mute = Array.from({ length: 7 }, (_, index) => `mute${index}`);
        for (const id of mute) await scene.accept(id);
        const isAskedOften = () => mute.every((id) => scene.asked.filter((each) => isOf(id, each)).length >= 4);
        assert.ok(await untilAsTimeGoesBy(bench.clock, 5 * SECOND_MS, isAskedOften), 'the bank is asked too rarely');
        scene.script.send = async () => ({ kind: 'executed' });
        const acceptedAt = bench.clock.now();
        await scene.accept('later');
        await scene.until('later', { state: 'success' }, SECOND_MS);
        assert.ok(bench.clock.now() - acceptedAt <= 2 * MINUTE_MS, 'it waited for the bank’s silence about others');
        scene.script.ask = async () => ({ kind: 'executed' });
        for (const id of mute) await scene.until(id, { state: 'success' }, SECOND_MS);
      },
      { askAfterMs: [5 * SECOND_MS] },
    ));

  it('a send that hangs times out and leaves the outcome of the payout unknown', () =>
    inScene(async (scene) => {
      scene.script.send = (_order, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'unknown', reason: 'gave up' }));
        });
      // The clock may run ahead of a busy machine, so early queries must leave the outcome unknown.
      scene.script.ask = async () => ({ kind: 'unknown', reason: 'gave up' });
      await scene.accept('hangs');
      await scene.until('hangs', { stage: 'unknown', note: 'gave up' }, SECOND_MS);
      scene.script.ask = async () => ({ kind: 'declined', blockedReason: 'bank_declined', reason: 'no' });
      await scene.until('hangs', { state: 'blocked' });
      assert.equal(scene.sent.length, 1);
    }));

  it('a worker postpones a paused payout without a call to the bank', () =>
    inScene(
      async (scene) => {
        await scene.accept('paused');
        await scene.until('paused', { stage: 'queued', note: 'method 9 is paused' });
        assert.equal(scene.sent.length, 0);
      },
      {},
      [{ scope: 'method', target: '9', since: 0, reason: 'a holiday' }],
    ));

  it('a worker that has not read a resume postpones a new payout by at most half a minute', () =>
    inScene(
      async (scene) => {
        await scene.accept('fresh');
        const waits = async () => {
          const { rows } = await bench.owner.query(
            `select due_at from payout_jobs where merchant_id = 'm' and payout_id = 'fresh'`,
          );
          return rows[0].due_at.getTime() - bench.clock.now();
        };
        // The first look postpones for two seconds, and the second look for longer. A lease lasts longer than both.
        const isPostponed = async () => (await waits()) > 5 * SECOND_MS && (await waits()) <= 30 * SECOND_MS;
        assert.ok(await untilAsTimeGoesBy(bench.clock, 100, isPostponed), `it waits ${await waits()} ms`);
      },
      {},
      [{ scope: 'method', target: '9', since: 0, reason: 'lifted, and this worker missed it' }],
    ));

  it('a worker takes over a payout of a crashed process and queries the bank first', () =>
    inScene(async (scene) => {
      const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
      scene.script.ask = async () => ({ kind: 'executed' });
      const now = bench.clock.now();
      await bench.store.accept(
        await bench.newPayout('m', 'orphan', 10n, { rail: scene.rail.name, acceptedAt: now + DAY_MS }),
      );
      const [claim] = await jobs.claim(claimOf(scene.rail.name, now + DAY_MS, now + DAY_MS + SECOND_MS));
      assert.ok(claim?.isBegun, 'the other process claims it first');
      bench.clock.advance(DAY_MS + 2 * SECOND_MS);
      await scene.until('orphan', { state: 'success' });
      assert.equal(scene.sent.length, 0);
      assert.equal(scene.asked[0]?.reference, claim.reference);
    }));

  it('a worker opens the vault record of a payout once for the check and the send', async () => {
    const account = new Secret('4111111111111111');
    let opened = 0;
    const openFields = () => {
      opened += 1;
      return { account };
    };
    const { rail, sent } = scriptedRail(`rail${++rails}`);
    const { delivery } = deliverStored(bench, [rail], [], { vault: { ...PLAIN_VAULT, openFields } });
    const beneficiary = { accountShown: '411111******1111', fields: {}, vaultToken: 'opened' };
    const payout = await bench.newPayout('m', 'opened', 10n, { rail: rail.name, beneficiary });
    const sealed = { masterKeyId: 'k', wrappedKey: Buffer.from('key'), ciphertext: Buffer.from('card') };
    await bench.store.accept({ ...payout, vaultRecord: { merchantId: 'm', token: 'opened', sealed } });
    delivery.start();
    try {
      const isFinal = async () =>
        (await bench.store.find({ merchantId: 'm', payoutId: 'opened' }))?.state === 'success';
      assert.ok(await untilAsTimeGoesBy(bench.clock, 100, isFinal));
      assert.equal(sent[0]?.beneficiary['account'], account);
      assert.equal(opened, 1);
    } finally {
      await stopAsTimeGoesBy(bench.clock, delivery);
    }
  });
});
