/** A restored gateway queries banks before it sends payouts to them (decision 55). */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { NOWHERE_ELSE, scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import type { PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import {
  openTwoBankStage,
  type TwoBankScene,
  type TwoBankStage,
} from '../../../test/support/payouts/two-bank-stage.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import { until } from '../../../test/support/tools/until.ts';
import { payoutReference } from '../../domain/payouts/payout-order.ts';
import type { PayoutRail, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { UNDECLARED } from '../../domain/recovery/recovery.ts';
import { releaseAfterRestore } from '../../domain/recovery/release-after-restore.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
let inScene: TwoBankStage['inScene'];
let recorded: TwoBankStage['recorded'];

before(async () => {
  ({ bench, inScene, recorded } = await openTwoBankStage());
});
after(() => bench.verifyAndClose());

const ALL_DAYS = { rail: null, day: null, openOnly: true };

/** Sends the payout to the first bank, which never reports an outcome. Then the database is restored. */
async function sentBeforeRestore(scene: TwoBankScene, payoutId: string): Promise<void> {
  const { first, recovery } = scene;
  assert(recovery);
  scene.recovery = undefined;
  first.script.send = async () => ({ kind: 'unknown', reason: 'no response in time' });
  // On a slow machine an attempt's time passes before it is sent: the bank's response then lets the worker send it again.
  first.script.ask = async () =>
    first.sent.length === 0 ? { kind: 'not_found' } : { kind: 'unknown', reason: 'HTTP 500' };
  await scene.accept(payoutId);
  const isPast = () => bench.clock.now() > (first.sent[0]?.sendUntil ?? Infinity);
  assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isPast));
  scene.recovery = { ...recovery, startedAt: bench.clock.now() };
}

function releasing(...rails: readonly PayoutRail[]) {
  const { database, clock } = bench;
  return withParts(releaseAfterRestore, { ...NOWHERE_ELSE, store: createRecoveryStore(database), rails, clock });
}

const referenceAt = ({ name }: PayoutRail, payoutId: string) =>
  payoutReference(REFERENCE_KEY, { merchantId: 'm', payoutId, rail: name });

/**
 * The queries before an attempt, which have `writtenFrom`. On a slow machine an attempt's time passes before it is sent, and
 * the worker queries that attempt as well.
 */
const beforeAttempts = (asked: ReturnType<typeof scriptedRail>['asked']) =>
  asked.filter(({ writtenFrom }) => writtenFrom !== undefined);

describe('a recovering gateway', () => {
  it('a recovering gateway sends a payout only after every bank proves that it never received it', () =>
    inScene(async ({ first, second, restoredAt, ...scene }) => {
      await scene.accept('nowhere');
      await scene.until('nowhere', 'success');
      for (const { rail, asked } of [first, second]) assert.equal(asked.at(0)?.reference, referenceAt(rail, 'nowhere'));
      assert.deepEqual(
        first.sent.map(({ reference }) => reference),
        [referenceAt(first.rail, 'nowhere')],
      );
      assert.equal(second.sent.length, 0);
      const sentAfterMs = (first.sent[0]?.sendUntil ?? 0) - restoredAt;
      assert(sentAfterMs >= first.rail.notFoundProofMs, 'not before the bank could know');
    }));

  it('a payout that the operator releases while its bank is about to report it is not sent', async () => {
    const work = async ({ first, second, ...scene }: TwoBankScene) => {
      const release = releasing(first.rail, second.rail);
      second.script.ask = async () => {
        await release({ merchantId: 'm', payoutId: 'released' }, { by: 'Ann', evidence: 'a wrong cabinet' });
        return { kind: 'executed' };
      };
      await scene.accept('released');
      await scene.until('released', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    };
    // The first rail does not claim anything else while its bank is queried.
    await inScene(work, {}, {}, { concurrency: 1 });
  });

  for (const kind of ['executed', 'pending'] as const)
    it(`a payout that the operator releases and a worker sends while another bank returns ${kind} is a contradiction`, () =>
      inScene(async ({ first, second, ...scene }) => {
        const key = { merchantId: 'm', payoutId: `sent-and-${kind}` };
        const release = releasing(first.rail, second.rail);
        second.script.ask = async () => {
          await release(key, { by: 'Ann', evidence: 'a wrong cabinet' });
          await until('the first rail sends it', () => first.sent.length > 0, 20_000);
          return { kind };
        };
        await scene.accept(key.payoutId);
        await scene.until(key.payoutId, 'success');
        const record = createPayoutRecordStore(bench.database);
        const difference = async () => {
          const all = await createDifferenceStore(bench.database).list({ ...ALL_DAYS, kind: 'contradiction' });
          return all.find(({ payoutId }) => payoutId === key.payoutId);
        };
        await until('the contradiction is recorded', difference, 20_000);
        assert.equal((await difference())?.rail, second.rail.name);
        const isReported = async () => kind === 'pending' || (await record.record(key))?.adjustments.length === 1;
        await until('the execution is reported', isReported, 20_000);
        const { attempts = [], adjustments = [] } = (await record.record(key)) ?? {};
        const at = new Set(attempts.map(({ rail, reference }) => `${rail} ${reference}`));
        const expected = [second.rail, first.rail].map((rail) => `${rail.name} ${referenceAt(rail, key.payoutId)}`);
        assert.deepEqual(at, new Set(expected), 'the forgotten attempt, and the one after the release');
        const contradictions = adjustments.map((one) => [one.kind, one.rail]);
        assert.deepEqual(contradictions, kind === 'executed' ? [['contradicted', second.rail.name]] : []);
        const byBank = await bench.store.findByReference(second.rail.name, referenceAt(second.rail, key.payoutId));
        assert.equal(byBank?.payoutId, key.payoutId, 'a later notification of that bank finds it');
      }));

  it('a recovering gateway records a contradiction when two banks executed one payout', () =>
    inScene(async ({ first, second, ...scene }) => {
      for (const { script } of [first, second]) script.ask = async () => ({ kind: 'executed' });
      await scene.accept('paid-twice');
      await scene.until('paid-twice', 'success');
      const key = { merchantId: 'm', payoutId: 'paid-twice' };
      const record = await until('the other execution is recorded', async () => {
        const found = await createPayoutRecordStore(bench.database).record(key);
        return found?.adjustments.length === 1 && found;
      });
      const [contradicted] = record.adjustments;
      assert.deepEqual([record.payout.rail, contradicted?.rail].sort(), [first.rail.name, second.rail.name]);
      assert.deepEqual([contradicted?.kind, first.sent, second.sent], ['contradicted', [], []]);
    }));

  for (const [status, state] of [
    [{ kind: 'executed' }, 'success'],
    [{ kind: 'declined', blockedReason: 'bank_declined', reason: 'no' }, 'blocked'],
  ] as const satisfies readonly (readonly [RailStatus, string])[])
    it(`a recovering gateway settles a payout as ${state} that another bank ${status.kind} before the restore, and never sends it`, () =>
      inScene(async ({ first, second, ...scene }) => {
        const payoutId = `found-${status.kind}`;
        second.script.ask = async () => status;
        await scene.accept(payoutId);
        await scene.until(payoutId, state);
        assert.deepEqual([first.sent, second.sent], [[], []]);
        const payout = await bench.store.find({ merchantId: 'm', payoutId });
        assert.equal(payout?.rail, second.rail.name);
        const byBank = await bench.store.findByReference(second.rail.name, referenceAt(second.rail, payoutId));
        assert.equal(byBank?.payoutId, payoutId, 'the directory has the reference again');
      }));

  it('a recovering gateway queries every bank about a payout that awaits its approval, and never sends it', () =>
    inScene(async ({ first, second, ...scene }) => {
      const approval = { by: bench.clock.now() + 1_000 * HOUR_MS, why: ['above', '0.05 EUR'] } as const;
      await scene.accept('not-had', approval);
      const askedAt = async () => {
        const found = await bench.owner.query(`select stage, asked_at from payout_jobs where payout_id = 'not-had'`);
        assert.equal(found.rows[0].stage, 'awaiting_approval');
        return found.rows[0].asked_at !== null;
      };
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, askedAt));
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.accept('paid-before', approval);
      await scene.until('paid-before', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    }));

  it('a recovering gateway never sends a payout that a bank already has and waits for that bank’s decision', () =>
    inScene(async ({ first, second, ...scene }) => {
      second.script.ask = async () => ({ kind: 'pending' });
      await scene.accept('held');
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => second.asked.length > 2));
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.until('held', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    }));

  it('a recovering gateway does not block a declined payout while another bank does not respond', () =>
    inScene(async ({ first, second, ...scene }) => {
      first.script.ask = async () => ({ kind: 'declined', blockedReason: 'bank_declined', reason: 'no' });
      second.script.ask = async () => ({ kind: 'unknown', reason: 'HTTP 500' });
      await scene.accept('either');
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => second.asked.length > 2));
      const reference = referenceAt(second.rail, 'either');
      const note = `${second.rail.name} does not say whether it has ${reference}: HTTP 500`;
      assert.equal(await scene.noteOf('either'), note);
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.until('either', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    }));

  it('a recovering gateway does not block a declined payout while another bank may be unable to find it yet', () =>
    inScene(async ({ first, second, restoredAt, ...scene }) => {
      first.script.ask = async () => ({ kind: 'declined', blockedReason: 'bank_declined', reason: 'no' });
      second.script.ask = async () =>
        bench.clock.now() < restoredAt + second.rail.notFoundProofMs / 2 ? { kind: 'not_found' } : { kind: 'executed' };
      await scene.accept('declined-first');
      await scene.until('declined-first', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    }));

  it('a recovering gateway queries the other banks when one bank declines a payout that it received before the restore', () =>
    inScene(async (scene) => {
      const { first, second } = scene;
      await sentBeforeRestore(scene, 'moved-on');
      first.script.ask = async () => ({ kind: 'declined', blockedReason: 'unspecified', reason: 'no money' });
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.until('moved-on', 'success');
      assert.deepEqual([first.sent.length, second.sent.length], [1, 0]);
    }));

  it('a recovering gateway blocks a payout that one bank declined and no other bank has', () =>
    inScene(async (scene) => {
      const { first, second } = scene;
      await sentBeforeRestore(scene, 'declined-for-good');
      first.script.ask = async () => ({ kind: 'declined', blockedReason: 'unspecified', reason: 'no money' });
      await scene.until('declined-for-good', 'blocked');
      assert.deepEqual([first.sent.length, second.sent.length], [1, 0]);
    }));

  it('a recovering gateway also queries a bank whose rail needs a field that the repeated payout lacks', () =>
    inScene(
      async ({ second, first, ...scene }) => {
        second.script.ask = async () => ({ kind: 'executed' });
        await scene.accept('without-a-name');
        await scene.until('without-a-name', 'success');
        assert.deepEqual([first.sent, second.sent], [[], []]);
      },
      {},
      { needs: ['nickname'] },
    ));

  it('a recovering gateway has a bank search the entire recovery window, even after the bank found the payout', () =>
    inScene(async ({ first, second, restoredAt, ...scene }) => {
      second.script.ask = async () => ({ kind: 'pending' });
      await scene.accept('long-ago');
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => second.asked.length > 2));
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.until('long-ago', 'success');
      const from = second.asked.map(({ writtenFrom, sendUntil }) => Math.min(writtenFrom ?? sendUntil, sendUntil));
      assert.deepEqual(new Set(from), new Set([restoredAt - 60 * SECOND_MS]));
    }));

  it('a recovering gateway queries the banks of recovering rails about payouts of a completed rail', () =>
    inScene(async (scene) => {
      const { first, second } = scene;
      assert(scene.recovery);
      const completed = { at: scene.restoredAt, by: 'Ann', forcedBecause: null, asksUntil: null };
      scene.recovery = { ...scene.recovery, rails: [{ rail: first.rail.name, comparedAt: null, completed }] };
      second.script.ask = async () => ({ kind: 'executed' });
      await scene.accept('of-the-other');
      await scene.until('of-the-other', 'success');
      assert.deepEqual([first.sent, second.sent], [[], []]);
    }));

  it('a payout is sent without a query once the recovery of its rail is completed', () =>
    inScene(async (scene) => {
      scene.recovery = undefined;
      await scene.accept('after');
      await scene.until('after', 'success');
      assert.deepEqual([scene.first.asked, scene.second.asked].map(beforeAttempts), [[], []]);
    }));

  it('a payout is sent after a failover that its worker notices between two reads of the recovery', async () => {
    const { rail, asked, sent } = scriptedRail('failed-over');
    let reads = 0;
    const recovery = async () => (reads++ % 2 === 0 ? recorded(undefined) : UNDECLARED);
    const { delivery } = deliverStored(bench, [rail], [], { recovery });
    await bench.store.accept(await bench.newPayout('m', 'failed-over', 10n, { rail: rail.name }));
    delivery.start();
    try {
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => sent.length > 0), 'the payout was never sent');
      assert.deepEqual(beforeAttempts(asked), []);
    } finally {
      await stopAsTimeGoesBy(bench.clock, delivery);
    }
  });
});
