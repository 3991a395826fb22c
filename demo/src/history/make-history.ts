/**
 * The demo's fortnight of history, through the gateway's real commands and its real worker, under a moved clock. It is made
 * once, in a database without merchants, before the gateway serves. Everything in it is the demo's: no money has moved.
 */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, utcDayOf } from '../../../gateway/src/foundation/clock.ts';
import { createSeededRandom } from '../../../gateway/src/foundation/ids.ts';
import { type Gateway, openGateway } from '../../../gateway/src/main/compose/compose.ts';
import type { Config } from '../../../gateway/src/main/config/config.ts';
import type { DemoMerchant } from '../demo-merchant.ts';
import type { Sender } from '../payout-examples.ts';
import { createMovedClock, type MovedClock } from './moved-clock.ts';
import { openReceiver } from './receiver.ts';
import type { Scene } from './scene.ts';
import { createStandIns } from './stand-ins.ts';
import { createTrade, type Trade } from './trade.ts';

export interface HistoryOptions {
  readonly config: Config;
  readonly logTo: { write(line: string): void };
  /** Opens the demo merchant, as every start does. */
  readonly openMerchant: (operations: Gateway['operations']) => Promise<DemoMerchant>;
  /** Now, in milliseconds UTC. */
  readonly until: number;
  /** A fortnight by default. */
  readonly days?: number;
}

/** The hours of a day at which merchants pay, UTC. */
const MOMENTS = [7, 12, 17] as const;
const BURSTS = { weekday: 2, weekend: 1 } as const;
/** After a burst: long enough for the slowest bank, in ever longer steps. */
const SETTLING_MS = [8, 40, 200, 900, 1_500].map((seconds) => seconds * SECOND_MS);
/** The failing server of a merchant fails from then on. */
const FAILS_BEFORE_END_DAYS = 3;

/** Resolves to the number of payments. */
export async function makeHistory({ config, logTo, openMerchant, until, days = 14 }: HistoryOptions): Promise<number> {
  const random = createSeededRandom('the demo’s history');
  const clock = createMovedClock(Math.floor(until / DAY_MS) * DAY_MS - days * DAY_MS + 6 * HOUR_MS);
  const receiver = await openReceiver(() => clock.advance(40 + random.fraction() * 300));
  const standIns = createStandIns(clock, random);
  const gateway = await openGateway(config, { clock, standIns, logTo, pace: { goodbyeMs: 0 } });
  // Requests and whatever closes wait for times of this clock, so it also moves by itself.
  const moving = setInterval(() => clock.advance(TICK_MS), TICK_MS);
  const scene: Scene = { gateway, clock, random, pass: (ms) => pass(gateway, clock, ms) };
  try {
    const demo = await openMerchant(gateway.operations);
    const serving = await gateway.serve('all', { housekeeping: false });
    const sender: Sender = { url: serving.url ?? '', merchantId: demo.merchantId, key: demo.key };
    const trade = await createTrade(scene, sender, receiver);
    try {
      for (let left = days; left >= 0; left--) {
        if (left === FAILS_BEFORE_END_DAYS) trade.beginToFail();
        await tradeOneDay(scene, trade, until);
      }
      await trade.finish();
    } finally {
      await serving.stop({ replaced: true });
    }
    return trade.payments();
  } finally {
    await gateway.close();
    await receiver.close();
    clearInterval(moving);
  }
}

async function tradeOneDay(scene: Scene, trade: Trade, until: number): Promise<void> {
  const { clock, pass: go } = scene;
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
  for (const hour of MOMENTS) {
    const begin = midnight + hour * HOUR_MS + Math.floor(scene.random.fraction() * 50) * MINUTE_MS;
    // Today ends now, and some time stays for what still settles.
    if (begin + 3 * HOUR_MS > until) return;
    if (begin < clock.now()) continue;
    await go(begin - clock.now());
    for (let burst = 0; burst < BURSTS[isWeekend ? 'weekend' : 'weekday']; burst++) {
      await trade.burst();
      await go(5_000 + scene.random.fraction() * 240_000);
    }
    for (const ms of SETTLING_MS) await go(ms);
  }
  if (until < midnight + DAY_MS + COMPARED_AFTER_MS + NIGHT_MS) return;
  await go(midnight + DAY_MS + COMPARED_AFTER_MS - clock.now());
  await trade.compare(utcDayOf(midnight));
  await go(NIGHT_MS);
}

/** A day is compared this long after its end, and the next one begins later. */
const [COMPARED_AFTER_MS, NIGHT_MS] = [HOUR_MS, 4 * HOUR_MS];

const TICK_MS = 10;

/** A step of the worker is some round trips to the database. */
const REST_MS = 4;
/** What is due and waits for a person never rests. */
const MOST_RESTS = 25;

/** Lets the clock move on, and waits until the worker has done what is due then. */
async function pass(gateway: Gateway, clock: MovedClock, ms: number): Promise<void> {
  clock.advance(ms);
  await nextTurn();
  for (let rests = 0; rests < MOST_RESTS; rests++) {
    await wait(REST_MS);
    const { payoutsDue, payoutStages } = await gateway.operations.queues();
    if (payoutsDue.every(({ oldestDueAt }) => oldestDueAt === null) && !payoutStages.some(isMoving)) return;
  }
}

const isMoving = ({ stage }: { readonly stage: string }) => stage === 'queued' || stage === 'sending';
