/**
 * kill -9 of the gateway at each step of a payout, by every provider that sends payouts, several moments by one kill. Nothing
 * is held afterwards, and each payout must end as if nobody had died: taken once, paid once, told once.
 *
 * Not here: Adyen asked anew after our money there had run out, which it is after ten minutes; and STP, whose payouts are
 * returns of transfers.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import {
  asking,
  beginning,
  CONNECTORS,
  type Connector,
  confirming,
  lookingUp,
  type Moment,
  NEVER_KNOWN,
  notHeard,
  notRecorded,
  notTold,
  recorded,
  refused,
  TWICE,
  told,
  visaUnfinished,
  visaUnheard,
} from '../support/payout-kill-moments.ts';
import {
  type KilledPayout,
  openPayoutKillScene,
  type PayoutKillScene,
  type PayoutStanding,
} from '../support/payout-kill-scene.ts';
import { PAYOUT_RAIL_NAMES } from '../support/payout-providers.ts';
import { until, within } from '../support/until.ts';

/**
 * Each list is one kill. Of the commits that are held there is one of each kind in a list: of an end and of a payout that
 * waits. A provider's payouts are begun in this order.
 */
const KILLS: readonly (readonly Moment[])[] = [
  [notRecorded('visa'), notRecorded('adyen'), notHeard('freedomPay'), notHeard('razorpayx')],
  [recorded('visa'), recorded('adyen'), notHeard('epoint'), notHeard('dtOne')],
  [
    visaUnheard,
    notHeard('adyen'),
    notHeard('mastercard'),
    notHeard('wayforpayCard'),
    { ...notHeard('vopay'), change: TWICE },
  ],
  [visaUnfinished, notHeard('wayforpayAccount'), confirming('question'), confirming('answer')],
  // News is not taken as long as what was answered is not committed, so what is told stands apart.
  [
    told('adyen', 'question'),
    told('wayforpayCard', 'question'),
    told('wayforpayAccount', 'question'),
    told('freedomPay', 'question'),
    told('epoint', 'question'),
    told('razorpayx', 'question'),
    told('dtOne', 'question'),
    asking('dtOne'),
    told('vopay', 'question'),
    asking('vopay'),
  ],
  [
    told('adyen', 'answer'),
    told('wayforpayCard', 'answer'),
    told('wayforpayAccount', 'answer'),
    told('freedomPay', 'answer'),
    told('razorpayx', 'answer'),
    told('dtOne', 'answer'),
    told('vopay', 'answer'),
    told('epoint', 'answer'),
  ],
];

/** An answer is recorded in the same way whichever provider gave it: the full run proves it of each. */
const KILLS_OF_FULL_RUN: readonly (readonly Moment[])[] = (
  [
    ['mastercard', 'razorpayx'],
    ['wayforpayCard', 'dtOne'],
    ['wayforpayAccount', 'vopay'],
    ['epoint', 'freedomPay'],
  ] as const
).flatMap((pair) => [pair.map(notRecorded), pair.map(recorded)]);

/** Whose payouts are sent later, or again: each with all others over, so that what is held is of no other payout. */
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
    notTold('adyen'),
    notTold('visa'),
    { ...notTold('mastercard'), orBy: 'adyen-transfers' },
    notTold('wayforpayCard'),
    notTold('wayforpayAccount'),
    refused('wayforpayCard', 'no_float', 'CHECK_STATUS'),
    notTold('freedomPay'),
    notTold('epoint', NEVER_KNOWN),
    notTold('razorpayx'),
    lookingUp('question'),
    lookingUp('answer'),
    notTold('dtOne'),
    notTold('vopay'),
    refused('vopay', 'refuse', 'GET /api/v2/interac/bulk-payout/transaction'),
  ],
];

const MOMENT_COMES_WITHIN_MS = 60_000;

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

/** Resolves when the gateway stands at that moment. */
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
  // By one provider one by one: what holds the one must not hold the other.
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
    assert.deepEqual({ at, taken }, moment.left, `${moment.by}: ${moment.name}`);
  }
}

function endOf({ by, ends, orBy }: Moment, now: PayoutStanding): PayoutStanding {
  const rail = now.rail === orBy ? orBy : CONNECTORS[by].rail;
  const once = { before: [], taken: 1, paid: 1, told: ['Success 10.00'], available: '90.00', reserved: '0.00' };
  return { at: 'success', rail, ...once, ...ends };
}

/** Those that do not stand as they must. */
async function differing(payouts: readonly Begun[]) {
  const books = await scene.books();
  const standing = payouts.map(async (each) => {
    const { moment, payout } = each;
    const now = await payout.stands(books);
    return { each, what: `${moment.by} ${payout.payoutId}: ${moment.name}`, now, end: endOf(moment, now) };
  });
  return (await Promise.all(standing)).filter(({ now, end }) => JSON.stringify(now) !== JSON.stringify(end));
}

/** Waits until each payout stands as it must, and looks once more at those that came there first. */
async function allEnd(): Promise<void> {
  let open: readonly Begun[] = begun;
  const isOver = async () => {
    open = (await differing(open)).map(({ each }) => each);
    return open.length === 0;
  };
  await until('every payout ends', isOver).catch(() => {});
  assert.deepEqual(
    (await differing(begun)).map(({ what, now, end }) => ({ what, now, end })),
    [],
  );
}

const namesOf = (moments: readonly Moment[]) => moments.map(({ by, name }) => `${name} (${by})`).join(', ');

describe('killed when', () => {
  for (const moments of process.env['TEST_FULL'] ? [...KILLS, ...KILLS_OF_FULL_RUN] : KILLS)
    it(namesOf(moments), () => kill(moments));
});

describe('killed, with all others over, when', () => {
  beforeEach(allEnd);

  for (const moments of LAST_KILLS) it(namesOf(moments), () => kill(moments));
});

describe('and in the end', () => {
  it('every payout was taken once and paid once, and each merchant was told', allEnd);

  it('no provider was told of a payout that it had', async () => {
    const books = await scene.books();
    for (const rail of PAYOUT_RAIL_NAMES) {
      const again = books[rail].filter(({ kind }) => kind === 'repeated');
      assert.deepEqual(again, [], rail);
      assert.equal((await scene.providers[rail].control('summary'))['duplicates'] ?? 0, 0, rail);
    }
  });

  it('and the books hold', async () => {
    await scene.verify();
    await gateway.stop();
  });
});
