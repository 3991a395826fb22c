/**
 * kill -9 of the gateway at each step of a payout, at every payout provider, with several moments per kill. Afterwards all
 * holds are released. Each payout must end as if no process had died: accepted once, paid once and called back once.
 *
 * Not covered: Adyen's retry ten minutes after the float ran out, and STP, whose payouts are returns of transfers.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import {
  asking,
  beginning,
  CONNECTORS,
  type Connector,
  confirming,
  lookingUp,
  type Moment,
  NEVER_KNOWN,
  notFound,
  notified,
  notRecorded,
  notSent,
  proofNotRecorded,
  recorded,
  refused,
  sentAgain,
  TWICE,
  unanswered,
  visaUnanswered,
  visaUnfinished,
} from '../../support/payouts/payout-kill-moments.ts';
import {
  isAsExpected,
  isOverFor,
  type KilledPayout,
  openPayoutKillScene,
  type PayoutKillScene,
  type PayoutStanding,
} from '../../support/payouts/payout-kill-scene.ts';
import { PAYOUT_RAIL_NAMES } from '../../support/rails/payout-providers.ts';
import { until, within } from '../../support/tools/until.ts';

/**
 * Each list is one kill. A list holds at most one commit of each kind: of a final state and of a waiting payout. A
 * provider's payouts start in this order.
 */
const KILLS: readonly (readonly Moment[])[] = [
  [notRecorded('visa'), notRecorded('adyen'), unanswered('freedomPay'), unanswered('razorpayx')],
  [
    visaUnanswered,
    unanswered('adyen'),
    unanswered('mastercard'),
    unanswered('wayforpayCard'),
    { ...unanswered('vopay'), change: TWICE },
  ],
  // The gateway accepts no news while a response is uncommitted, so moments of notifications have separate kills.
  [
    notified('adyen', 'answer'),
    notified('wayforpayCard', 'answer'),
    notified('wayforpayAccount', 'answer'),
    notified('freedomPay', 'answer'),
    notified('razorpayx', 'answer'),
    notified('dtOne', 'answer'),
    notified('vopay', 'answer'),
    notified('epoint', 'answer'),
  ],
];

/** Every provider's response is recorded in the same way. The full run proves that for each provider. */
const KILLS_OF_FULL_RUN: readonly (readonly Moment[])[] = [
  [recorded('visa'), recorded('adyen'), unanswered('epoint'), unanswered('dtOne')],
  [visaUnfinished, unanswered('wayforpayAccount'), confirming('question'), confirming('answer')],
  [
    notified('adyen', 'question'),
    notified('wayforpayCard', 'question'),
    notified('wayforpayAccount', 'question'),
    notified('freedomPay', 'question'),
    notified('epoint', 'question'),
    notified('razorpayx', 'question'),
    notified('dtOne', 'question'),
    asking('dtOne'),
    notified('vopay', 'question'),
    asking('vopay'),
  ],
  ...(
    [
      ['mastercard', 'razorpayx'],
      ['wayforpayCard', 'dtOne'],
      ['wayforpayAccount', 'vopay'],
      ['epoint', 'freedomPay'],
    ] as const
  ).flatMap((pair) => [pair.map(notRecorded), pair.map(recorded)]),
];

/**
 * Payouts that are sent late or repeatedly. Each kill waits until all other payouts are final, so that only its own payouts
 * are held.
 */
const LAST_KILLS: readonly (readonly Moment[])[] = [
  [
    beginning('adyen'),
    beginning('visa'),
    beginning('mastercard'),
    beginning('wayforpayCard'),
    beginning('freedomPay'),
    beginning('epoint'),
    beginning('razorpayx'),
    beginning('dtOne'),
    beginning('vopay'),
  ],
  [
    notSent('adyen'),
    notSent('visa'),
    { ...notSent('mastercard'), orBy: 'adyen-transfers' },
    notSent('wayforpayCard'),
    notSent('wayforpayAccount'),
    refused('wayforpayCard', 'no_float', 'CHECK_STATUS'),
    notSent('freedomPay'),
    notSent('epoint', NEVER_KNOWN),
    notSent('razorpayx'),
    lookingUp('question'),
    lookingUp('answer'),
    notSent('dtOne'),
    notSent('vopay'),
    refused('vopay', 'refuse', 'GET /api/v2/interac/bulk-payout/transaction'),
  ],
  // Freedom Pay pays a repeat again. These moments come late, so an earlier moment in the list would time out.
  [sentAgain('freedomPay', 'question')],
  [sentAgain('freedomPay', 'answer')],
  ...(process.env['TEST_FULL']
    ? [[notFound('freedomPay', '/api/payment_status2')], [proofNotRecorded('freedomPay')]]
    : []),
];

const FINAL: ReadonlySet<string> = new Set(['success', 'blocked']);
const MOMENT_COMES_WITHIN_MS = 60_000;
/** The interval between checks is long, because a check of all payouts queries every provider and the database about each. */
const LOOK_EVERY_MS = 1_000;

interface Begun {
  readonly moment: Moment;
  readonly payout: KilledPayout;
}

let scene: PayoutKillScene;
let gateway: GatewayProcess;
const begun: Begun[] = [];

before(async () => {
  scene = await openPayoutKillScene();
  gateway = await startGatewayProcess(scene.variables);
});
after(async () => {
  await gateway.kill();
  await scene.close();
});

/** Resolves when the gateway is at that moment. */
async function reach(moment: Moment): Promise<Begun> {
  const connector: Connector = CONNECTORS[moment.by];
  const { rail, method, change } = connector;
  const payout = await scene.payout(rail, method, { ...change, ...moment.change });
  const begins = { moment, payout };
  begun.push(begins);
  if (moment.faults) await scene.providers[rail].faults(moment.faults);
  await within(MOMENT_COMES_WITHIN_MS, `${moment.by}: ${moment.name}`, moment.reach(scene, payout, connector));
  if (moment.faults) await scene.providers[rail].faults();
  return begins;
}

async function kill(moments: readonly Moment[]): Promise<void> {
  // Sequential per provider, because the hold of one moment must not stop another payout.
  const byRail = PAYOUT_RAIL_NAMES.map((rail) => moments.filter(({ by }) => CONNECTORS[by].rail === rail));
  const reached = await Promise.all(
    byRail.map(async (ofRail) => {
      const all: Begun[] = [];
      for (const moment of ofRail) all.push(await reach(moment));
      return all;
    }),
  );
  await gateway.kill();
  const books = await scene.books();
  const left = await Promise.all(
    reached.flat().map(async ({ moment, payout }) => ({ moment, ...(await payout.stands(books)) })),
  );
  gateway = await startGatewayProcess(scene.variables);
  for (const { moment, at, taken } of left) {
    // Its call may have timed out while other providers' moments were reached.
    const isTimedOut = moment.left.at === 'sending' && at === 'unknown';
    assert.deepEqual({ at: isTimedOut ? 'sending' : at, taken }, moment.left, `${moment.by}: ${moment.name}`);
  }
}

function endOf({ by, ends, orBy }: Moment, now: PayoutStanding): PayoutStanding {
  const rail = now.rail === orBy ? orBy : CONNECTORS[by].rail;
  const once = { before: [], taken: 1, paid: 1, callbacks: ['Success 10.00'], available: '90.00', reserved: '0.00' };
  return { at: 'success', rail, ...once, ...ends };
}

const endsFinal = ({ ends }: Moment) => FINAL.has(ends?.at ?? 'success');

/** Returns the payouts whose state is not the expected one. */
async function differing(payouts: readonly Begun[]) {
  const books = await scene.books();
  const standing = payouts.map(async (each) => {
    const { moment, payout } = each;
    const now = await payout.stands(books);
    return { each, what: `${moment.by} ${payout.payoutId}: ${moment.name}`, now, end: endOf(moment, now) };
  });
  return (await Promise.all(standing)).filter(({ now, end }) => !isAsExpected(now, end));
}

/** Waits until each payout has its expected state or can no longer reach it, then checks all payouts again. */
async function allEnd(): Promise<void> {
  let open: readonly Begun[] = begun;
  const isOver = async () => {
    await sleep(LOOK_EVERY_MS);
    const pending = await scene.pending();
    const isStillOpen = ({ moment, payout }: Begun) => pending.has(payout.payoutId) && endsFinal(moment);
    const found = await differing(open.filter((each) => !isStillOpen(each)));
    open = [...open.filter(isStillOpen), ...found.map(({ each }) => each)];
    return open.length === found.length && found.every(({ now, end }) => isOverFor(now, end));
  };
  await until('every payout is final', isOver).catch(() => {});
  assert.deepEqual(
    (await differing(begun)).map(({ what, now, end }) => ({ what, now, end })),
    [],
  );
}

/** The title has the first failure and the number of failures, because the assertions name only the failed moment. */
function namesOf(moments: readonly Moment[]): string {
  const [first, ...others] = moments.map(({ by, name }) => `${name} (${by})`);
  const more = others.length === 0 ? '' : `, and at ${others.length} other moments of payouts in flight`;
  return `payouts keep their state after kill -9 when ${first}${more}`;
}

describe('kill -9 of the gateway during payouts', () => {
  for (const moments of process.env['TEST_FULL'] ? [...KILLS, ...KILLS_OF_FULL_RUN] : KILLS)
    it(namesOf(moments), () => kill(moments));
});

describe('kill -9 of the gateway when all other payouts are final', () => {
  beforeEach(allEnd);

  for (const moments of LAST_KILLS) it(namesOf(moments), () => kill(moments));
});

describe('payouts after all kills', () => {
  it('every payout was accepted once, paid once and called back once after the kills', allEnd);

  it('no payout was sent again to a provider that already had it', async () => {
    const books = await scene.books();
    for (const rail of PAYOUT_RAIL_NAMES) {
      const again = books[rail].filter(({ kind }) => kind === 'repeated');
      assert.deepEqual(again, [], rail);
      assert.equal((await scene.providers[rail].control('summary'))['duplicates'] ?? 0, 0, rail);
    }
  });

  it('the books balance after the kills of payouts', async () => {
    await scene.verify();
    await gateway.stop();
  });
});
