/**
 * kill -9 of the gateway at each step of a payer's try on the hosted form: each moment is reached by holding what the
 * gateway says or hears just then, several of them by one kill. A provider that was told nothing has charged nobody, one that
 * was told has charged once, and the payer can go on from wherever the gateway stopped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FormKillScene, type HeldRail, openFormKillScene } from '../support/form-kill-scene.ts';
import { CARDS } from '../support/form-providers/adyen.ts';
import { open, PAID, type PaymentVisit, type Standing } from '../support/form-providers/form-visit.ts';
import { RAIL_NAMES, type RailName } from '../support/form-providers/providers.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import type { HeldRelay, Hold } from '../support/held-relay.ts';
import { until, within } from '../support/until.ts';

interface Moment {
  readonly rail: RailName;
  readonly name: string;
  readonly relay: (scene: FormKillScene) => HeldRelay;
  readonly hold: (visit: PaymentVisit, reference: string) => Hold;
  /** What goes before, with nothing held. */
  readonly first?: (visit: PaymentVisit) => Promise<unknown>;
  /** What runs into the hold; what it waits for never comes. */
  readonly act: (visit: PaymentVisit) => Promise<unknown>;
  /** What the payer or the provider does once a gateway serves again. */
  readonly goesOn: (visit: PaymentVisit) => Promise<unknown>;
  readonly ends: Standing;
}

/** The merchant had 5.00 before. */
const ENDS_PAID: Standing = { ...PAID, available: '15.00' };
const ENDS_PAID_AT_SECOND: Standing = { ...ENDS_PAID, attempts: ['refused declined', 'paid'] };
const ENDS_REFUNDED: Standing = {
  ...ENDS_PAID,
  events: ['deposit.refunded 10.50'],
  refunds: ['success 10.50'],
  available: '4.50',
  givenBack: 1,
};

const ofProvider = (rail: HeldRail) => (scene: FormKillScene) => scene.calls[rail];
const ofRoute = (route: keyof FormKillScene['routes']) => (scene: FormKillScene) => scene.routes[route];
const submits = (visit: PaymentVisit) => visit.submit();
const nothing = async () => {};

async function pay(visit: PaymentVisit): Promise<void> {
  await visit.submit();
  await visit.act();
}

/** It was proved that nobody was told, so the payer may try again. */
async function triesAgain(visit: PaymentVisit): Promise<void> {
  await visit.until('refused');
  await visit.look();
  await visit.again();
  await visit.act();
}

/** Who has to act, acts. */
async function acts(visit: PaymentVisit): Promise<void> {
  await visit.until('acting');
  await visit.look();
  await visit.act();
}

/** VoPay sends what goes back to the payer, who has to take it. */
async function takesRefund(visit: PaymentVisit): Promise<void> {
  const made = await until('VoPay has taken the refund', async () =>
    (await visit.provider.story(await visit.names())).find(({ parentId }) => parentId !== null),
  );
  await visit.provider.whenItCan('deposit', { id: made['id'] });
}

const paidAndSettled = async (visit: PaymentVisit) => {
  await pay(visit);
  await visit.until('paid');
};
const refunds = (visit: PaymentVisit) => visit.refund();

/**
 * What the gateway says when it opens a payment, by provider: the whole line of the request, since its questions about other
 * payments begin alike.
 */
const OPENING: Readonly<Record<HeldRail, string>> = {
  adyen: '/payments HTTP/',
  'token-io': '/v2/payments HTTP/',
  trustly: '"Deposit"',
  vopay: 'interac/money-request HTTP/',
};

const notTold = (rail: HeldRail): Moment => ({
  rail,
  name: 'it is about to tell the provider',
  relay: ofProvider(rail),
  hold: () => ({ carrying: OPENING[rail], of: 'question' }),
  act: submits,
  goesOn: triesAgain,
  ends: ENDS_PAID_AT_SECOND,
});

const notHeard = (rail: HeldRail, rest: Pick<Moment, 'goesOn' | 'ends'>): Moment => ({
  rail,
  name: 'the provider has done it, and the gateway has not heard so',
  relay: ofProvider(rail),
  hold: () => ({ carrying: OPENING[rail], of: 'answer' }),
  act: submits,
  ...rest,
});

const toldOfPayment = (rail: HeldRail, of: Hold['of']): Moment => ({
  rail,
  name:
    of === 'question'
      ? 'it is about to hear that it was paid'
      : 'it has heard that it was paid, and the provider does not know so',
  relay: ofRoute('notification'),
  hold: (_visit, reference) => ({ carrying: reference, of }),
  first: submits,
  act: (visit) => visit.act(),
  goesOn: nothing,
  ends: ENDS_PAID,
});

const refunding = (rail: HeldRail, carrying: string, of: Hold['of'], goesOn: Moment['goesOn'] = nothing): Moment => ({
  rail,
  name:
    of === 'question'
      ? 'it is about to ask for a refund that is committed'
      : 'the provider has taken a refund, and the gateway has not heard so',
  relay: ofProvider(rail),
  hold: () => ({ carrying, of }),
  first: paidAndSettled,
  act: refunds,
  goesOn,
  ends: ENDS_REFUNDED,
});

/** In the database, at the commit. */
const inDatabase = (
  rail: RailName,
  name: string,
  of: Hold['of'],
  change: Omit<Moment, 'rail' | 'name' | 'relay' | 'hold'>,
  carrying: (visit: PaymentVisit, reference: string) => Hold['carrying'],
): Moment => ({
  rail,
  name,
  relay: ofRoute('database'),
  ...change,
  hold: (visit, reference) => ({ carrying: carrying(visit, reference), at: 'commit', of }),
});

/** By this an order becomes a deposit. Its name alone is so short that random texts have it, before the commit of another. */
const ofFirstTry =
  ({ order }: PaymentVisit) =>
  (said: Buffer) =>
    said.includes('insert into deposit_orders') && said.includes(order);
const ofReference = (_visit: PaymentVisit, reference: string) => reference;
const recording = { act: submits, goesOn: acts, ends: ENDS_PAID };
const receiving = {
  first: submits,
  act: (visit: PaymentVisit) => visit.act(),
  goesOn: nothing,
  ends: ENDS_PAID,
};

/** Each list is one kill. */
const KILLS: readonly (readonly Moment[])[] = [
  [
    // Among the first: what is written says what the payer has to do, which it does again at each question.
    inDatabase(
      'pix',
      'what the provider answered is written and not committed',
      'question',
      recording,
      () => 'br.gov.bcb.pix',
    ),
    notTold('token-io'),
    inDatabase(
      'vopay',
      'the try is written and not committed',
      'question',
      {
        act: submits,
        async goesOn(visit) {
          await visit.look();
          await pay(visit);
        },
        ends: ENDS_PAID,
      },
      ofFirstTry,
    ),
  ],
  [
    notTold('trustly'),
    inDatabase(
      'vopay',
      'what the provider answered is committed, and the gateway has not heard so',
      'answer',
      recording,
      () => 'bank_message',
    ),
  ],
  [
    // Whose challenge nobody has seen: Adyen can't be asked, and has nothing to tell.
    notHeard('adyen', {
      goesOn: (visit) => visit.until('unknown'),
      ends: { ...open('unknown'), available: '5.00' },
    }),
    // Whose address nobody has: no payer can be at that page.
    notHeard('trustly', { goesOn: triesAgain, ends: ENDS_PAID_AT_SECOND }),
    notHeard('token-io', { goesOn: acts, ends: ENDS_PAID }),
    inDatabase(
      'vopay',
      'the try is committed, and the gateway has not heard so',
      'answer',
      { act: submits, goesOn: triesAgain, ends: ENDS_PAID_AT_SECOND },
      ofFirstTry,
    ),
  ],
  [
    refunding('trustly', '"Refund"', 'question'),
    {
      rail: 'adyen',
      name: 'the card is charged, and the gateway has not heard so',
      relay: ofProvider('adyen'),
      hold: () => ({ carrying: OPENING.adyen, of: 'answer' }),
      act: (visit) => visit.submit(CARDS.plain),
      goesOn: nothing,
      ends: ENDS_PAID,
    },
    notTold('vopay'),
  ],
  [
    toldOfPayment('trustly', 'question'),
    {
      rail: 'adyen',
      name: 'the payer is back from their bank, and Adyen’s answer is on its way',
      relay: ofProvider('adyen'),
      hold: () => ({ carrying: '/payments/details', of: 'answer' }),
      first: submits,
      act: (visit) => visit.act(),
      goesOn: nothing,
      ends: ENDS_PAID,
    },
    notHeard('vopay', { goesOn: acts, ends: ENDS_PAID }),
  ],
  [
    toldOfPayment('trustly', 'answer'),
    refunding('adyen', '/refunds', 'question'),
    refunding('vopay', 'transactions/refund', 'question', takesRefund),
    inDatabase(
      'pix',
      'that it was paid is committed, and the gateway has not heard so',
      'answer',
      receiving,
      ofReference,
    ),
  ],
  [
    refunding('trustly', '"Refund"', 'answer'),
    refunding('adyen', '/refunds', 'answer'),
    inDatabase('vopay', 'that it was paid is written and not committed', 'question', receiving, ofReference),
  ],
  [
    refunding('vopay', 'transactions/refund', 'answer', takesRefund),
    {
      rail: 'trustly',
      name: 'it is all recorded, and the page is on its way to the payer',
      relay: ofRoute('page'),
      hold: () => ({ carrying: 'act=pay', of: 'answer' }),
      act: submits,
      goesOn: acts,
      ends: ENDS_PAID,
    },
  ],
];

const MOMENT_COMES_WITHIN_MS = 60_000;

let scene: FormKillScene;
let gateway: GatewayProcess;
const begun: { readonly moment: Moment; readonly visit: PaymentVisit }[] = [];

before(async () => {
  scene = await openFormKillScene();
  gateway = await startGatewayProcess(scene.variables);
});
after(async () => {
  await gateway.kill();
  await scene.close();
});

/** Resolves when the gateway stands at that moment. */
async function reach(moment: Moment): Promise<void> {
  const { rail, first, act, relay, hold } = moment;
  const visit = await scene.visit(rail);
  begun.push({ moment, visit });
  await first?.(visit);
  const reference = first ? (await visit.names()).reference : '';
  const reached = relay(scene).hold(hold(visit, reference));
  act(visit).catch(() => {});
  await within(MOMENT_COMES_WITHIN_MS, `${rail}: ${moment.name}`, reached);
}

describe('killed when', () => {
  for (const moments of KILLS) {
    it(moments.map(({ rail, name }) => `${name} (${rail})`).join(', '), async () => {
      // One by one: what holds the one must not hold the other.
      for (const moment of moments) await reach(moment);
      await gateway.kill();
      gateway = await startGatewayProcess(scene.variables);
    });
  }
});

describe('and in the end', () => {
  it('every payer has paid once, every refund was made once, and each merchant was told', async () => {
    // One payer of each provider at a time: the machine is not to be too busy for them.
    await Promise.all(
      RAIL_NAMES.map(async (rail) => {
        for (const { moment, visit } of begun.filter((each) => each.moment.rail === rail)) {
          await moment.goesOn(visit);
          await visit.ends(moment.ends);
        }
      }),
    );
    assert.equal(begun.length, KILLS.flat().length);
  });

  it('and the books hold', async () => {
    for (const { visit } of begun) await visit.assertUnchanged();
    await scene.verify();
    await gateway.stop();
  });
});
