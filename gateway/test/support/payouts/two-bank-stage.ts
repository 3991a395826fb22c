/**
 * A worker with two banks on a real database. The first bank carries the payouts. Either bank may have received them in the
 * time that a restore lost.
 */
import assert from 'node:assert/strict';
import type { PayoutRail } from '../../../src/domain/payouts/payout-rail.ts';
import type { RequiredApproval } from '../../../src/domain/payouts/payout-store.ts';
import type { Recovery } from '../../../src/domain/recovery/recovery.ts';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import { createRecoveryStore } from '../../../src/storage/recovery/recovery-store.ts';
import type { PayoutDeliveryParts } from '../../../src/worker/payouts/payout-delivery.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../tools/time-goes-by.ts';
import { deliverStored } from './payout-deliveries.ts';
import { scriptedRail } from './scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from './stored-payouts.ts';

export interface TwoBankScene {
  readonly first: ReturnType<typeof scriptedRail>;
  readonly second: ReturnType<typeof scriptedRail>;
  readonly restoredAt: number;
  accept(payoutId: string, approval?: RequiredApproval): Promise<void>;
  until(payoutId: string, wanted: string): Promise<void>;
  noteOf(payoutId: string): Promise<string | undefined>;
  recovery: Recovery | undefined;
}

/**
 * A minute of this clock is a tenth of a second of real time. A busy machine can delay a record that long, and it is repeated.
 */
const WAITED_A_MINUTE = 'Overloaded: the call waited too long for its turn';

function isFault(problem: string): boolean {
  return !problem.endsWith(WAITED_A_MINUTE);
}

export interface TwoBankStage {
  readonly bench: PayoutBench;
  inScene(
    work: (scene: TwoBankScene) => Promise<void>,
    change?: Partial<PayoutDeliveryParts>,
    ofSecond?: Partial<PayoutRail>,
    ofFirst?: Partial<PayoutRail>,
  ): Promise<void>;
  /** Gives the database the same recovery as the worker, because otherwise the worker could claim nothing. */
  recorded(recovery: Recovery | undefined): Promise<Recovery | undefined>;
}

export async function openTwoBankStage(): Promise<TwoBankStage> {
  const bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
  let scenes = 0;
  let latest: Recovery | undefined;

  async function recorded(recovery: Recovery | undefined) {
    if (recovery?.startedAt === latest?.startedAt) return recovery;
    latest = recovery;
    await bench.owner.query('delete from recoveries');
    if (recovery) await createRecoveryStore(bench.database).begin(recovery);
    return recovery;
  }

  const inScene: TwoBankStage['inScene'] = async (work, change = {}, ofSecond = {}, ofFirst = {}) => {
    const number = ++scenes;
    const [first, second] = [scriptedRail(`first${number}`, ofFirst), scriptedRail(`second${number}`, ofSecond)];
    const restoredAt = bench.clock.now();
    const scene: TwoBankScene = {
      first,
      second,
      restoredAt,
      recovery: {
        startedAt: restoredAt,
        knownUntil: restoredAt - 60 * SECOND_MS,
        startedBy: 'Ann',
        reason: 'a dead disk',
        completed: null,
        rails: [],
      },
      async accept(payoutId, approval) {
        const accepted = await bench.newPayout('m', payoutId, 10n, { rail: first.rail.name });
        await bench.store.accept({ ...accepted, ...(approval && { approval }) });
        // Start only now: a round that began earlier would use an outdated state of the recovery.
        delivery.start();
      },
      async until(payoutId, wanted) {
        const isSo = async () => (await bench.store.find({ merchantId: 'm', payoutId }))?.state === wanted;
        assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isSo), `${payoutId} never became ${wanted}`);
      },
      async noteOf(payoutId) {
        const found = await bench.owner.query('select note from payout_jobs where payout_id = $1', [payoutId]);
        return found.rows[0]?.note;
      },
    };
    const rails = [first.rail, second.rail];
    const parts = { recovery: async () => recorded(scene.recovery), ...change };
    const { delivery, problems } = deliverStored(bench, rails, [], parts);
    try {
      await work(scene);
      assert.deepEqual(problems.filter(isFault), []);
    } finally {
      await stopAsTimeGoesBy(bench.clock, delivery);
    }
  };

  return { bench, inScene, recorded };
}
