/**
 * The demo's two weeks of history, created by the gateway's real commands and its real worker with a moved clock. It is
 * created once, in a database without merchants, before the gateway serves. All of it is invented: no money has moved.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, utcDayOf } from '../../../gateway/src/foundation/clock.ts';
import { createSeededRandom } from '../../../gateway/src/foundation/random.ts';
import type { Gateway } from '../../../gateway/src/main/compose/compose.ts';
import type { Config } from '../../../gateway/src/main/config/config.ts';
import type { DemoMerchant } from '../demo-merchant.ts';
import type { ChargedPayment } from '../providers/provider.ts';
import { openHistoryGateway, type Scene } from './history-gateway.ts';
import { openReceiver } from './receiver.ts';
import { createTrade, type Trade } from './trade.ts';

interface HistoryOptions {
  readonly config: Config;
  readonly logTo: { write(line: string): void };
  /** Opens the demo merchant, as every start does. */
  readonly openMerchant: (operations: Gateway['operations']) => Promise<DemoMerchant>;
  /** The current time in milliseconds since the epoch. */
  readonly until: number;
  /** Defaults to two weeks. */
  readonly days?: number;
}

/** The hours of a day at which merchants pay, in UTC. */
const MOMENTS = [7, 12, 17] as const;
/** The waits after a burst: increasing steps, together long enough for the slowest bank. */
const SETTLING_MS = [8, 50, 300, 1_500].map((seconds) => seconds * SECOND_MS);
/** The incidents of the history, by days before its end. */
const FAILS_BEFORE_END_DAYS = 3;
const CHARGED_BACK_BEFORE_END_DAYS = 1;
const REFUNDED_BEFORE_END_DAYS = 1;
const STRANGER_BEFORE_END_DAYS = 2;

interface History {
  /** The number of payments. */
  readonly payments: number;
  /** The paid card payments, which the simulator does not know yet. */
  readonly charged: readonly ChargedPayment[];
}

export async function makeHistory({ config, logTo, openMerchant, until, days = 14 }: HistoryOptions): Promise<History> {
  const random = createSeededRandom('the demo’s history');
  const from = Math.floor(until / DAY_MS) * DAY_MS - days * DAY_MS + 6 * HOUR_MS;
  const receiver = await openReceiver();
  const scene = await openHistoryGateway({ config, logTo, from, random });
  try {
    const demo = await openMerchant(scene.gateway.operations);
    const trade = await createTrade(scene, { ...demo, url: '' }, receiver);
    for (let left = days; left >= 0; left--) {
      if (left === FAILS_BEFORE_END_DAYS) trade.beginToFail();
      if (left === CHARGED_BACK_BEFORE_END_DAYS) await trade.chargeBack();
      if (left === REFUNDED_BEFORE_END_DAYS) await trade.refundOne();
      if (left === STRANGER_BEFORE_END_DAYS) trade.listStranger();
      await tradeOneDay(scene, trade, until);
    }
    await trade.finish();
    return { payments: trade.payments(), charged: scene.cards.paid };
  } finally {
    await scene.close();
    await receiver.close();
  }
}

async function tradeOneDay(scene: Scene, trade: Trade, until: number): Promise<void> {
  const { clock, pass: go } = scene;
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
  for (const hour of MOMENTS) {
    const begin = midnight + hour * HOUR_MS + Math.floor(scene.random.fraction() * 50) * MINUTE_MS;
    // The last day ends early, so that its last payments settle before `until`.
    if (begin + 3 * HOUR_MS > until) return;
    if (begin < clock.now()) continue;
    await go(begin - clock.now());
    await trade.burst(!isWeekend);
    for (const ms of SETTLING_MS) await go(ms);
  }
  if (until < midnight + DAY_MS + COMPARED_AFTER_MS + NIGHT_MS + FINISHED_WITHIN_MS) return;
  await go(midnight + DAY_MS + COMPARED_AFTER_MS - clock.now());
  await trade.compare(utcDayOf(midnight));
  await go(NIGHT_MS);
}

/** The banks' lists of a day are compared this long after its end, before the next day's payments begin. */
const [COMPARED_AFTER_MS, NIGHT_MS] = [HOUR_MS, 4 * HOUR_MS];
/** The last payments and their callbacks take some minutes, and must not be in the future. */
const FINISHED_WITHIN_MS = HOUR_MS;
