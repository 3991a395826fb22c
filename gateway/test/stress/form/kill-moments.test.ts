/**
 * kill -9 of the gateway at each step of a form payment. A relay reaches each moment by holding the gateway's request or the
 * response to it. One kill covers several moments. Afterwards a provider that received no order must have charged no one, a
 * provider that received one must have charged once, and the payer must be able to continue.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CARDS } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { type FormKillScene, type HeldRail, openFormKillScene } from '../../support/form/form-kill-scene.ts';
import { open, PAID, type PaymentVisit, type Standing } from '../../support/form-providers/form-visit.ts';
import { RAIL_NAMES, type RailName } from '../../support/form-providers/providers.ts';
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { ACCEPTED } from '../../support/payouts/payout-kill-moments.ts';
import type { HeldRelay, Hold } from '../../support/servers/held-relay.ts';
import { until, within } from '../../support/tools/until.ts';

interface Moment {
  readonly rail: RailName;
  readonly name: string;
  readonly relay: (scene: FormKillScene) => HeldRelay;
  readonly hold: (visit: PaymentVisit, reference: string) => Hold;
  /** The steps before the moment, without a hold. */
  readonly first?: (visit: PaymentVisit) => Promise<unknown>;
  /** The step that the hold interrupts. Its response never arrives. */
  readonly act: (visit: PaymentVisit) => Promise<unknown>;
  /** The next step of the payer or the provider once the gateway serves again. */
  readonly goesOn: (visit: PaymentVisit) => Promise<unknown>;
  readonly ends: Standing;
}

/** The merchant had a balance of 5.00 before. */
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

/** The gateway has proof that the provider received nothing, so the payer may retry. */
async function triesAgain(visit: PaymentVisit): Promise<void> {
  await visit.until('refused');
  await visit.look();
  await visit.again();
  await visit.act();
}

/** The payer completes the next step. */
async function acts(visit: PaymentVisit): Promise<void> {
  await visit.until('acting');
  await visit.look();
  await visit.act();
}

/** Adyen charges the card, and its webhooks are late. */
async function returnsUnnoticed(visit: PaymentVisit): Promise<void> {
  await visit.provider.faults({ webhooks: 'off' });
  await visit.act();
}

/** The card may have been charged, so cancelling has no effect, and the late webhook completes the deposit. */
async function leavesWithoutEffect(visit: PaymentVisit): Promise<void> {
  await visit.look();
  await visit.press('cancel');
  assert.deepEqual(await visit.standing(), { ...open('acting'), available: '5.00', charges: 1 });
  await visit.provider.faults({ webhooks: 'on' });
}

/** VoPay sends the refund to the payer, who must deposit it. */
async function takesRefund(visit: PaymentVisit): Promise<void> {
  const made = await until('VoPay has accepted the refund', async () =>
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
 * Text in the request that opens a payment, by provider. It includes the rest of the request line, because queries
 * about other payments begin alike.
 */
const OPENING: Readonly<Record<HeldRail, string>> = {
  adyen: '/payments HTTP/',
  'token-io': '/v2/payments HTTP/',
  trustly: '"Deposit"',
  vopay: 'interac/money-request HTTP/',
};

const notSent = (rail: HeldRail): Moment => ({
  rail,
  name: 'the gateway is about to send the order',
  relay: ofProvider(rail),
  hold: () => ({ carrying: OPENING[rail], of: 'question' }),
  act: submits,
  goesOn: triesAgain,
  ends: ENDS_PAID_AT_SECOND,
});

const unanswered = (rail: HeldRail, rest: Pick<Moment, 'goesOn' | 'ends'>): Moment => ({
  rail,
  name: 'the provider has the order and its response has not arrived',
  relay: ofProvider(rail),
  hold: () => ({ carrying: OPENING[rail], of: 'answer' }),
  act: submits,
  ...rest,
});

const notifiedOfPayment = (rail: HeldRail, of: Hold['of']): Moment => ({
  rail,
  name:
    of === 'question'
      ? 'the notification of the payment has not arrived'
      : 'the gateway’s answer to the notification has not reached the provider',
  relay: ofRoute('notification'),
  hold: (_visit, reference) => ({ carrying: reference, of, answered: ACCEPTED }),
  first: submits,
  act: (visit) => visit.act(),
  goesOn: nothing,
  ends: ENDS_PAID,
});

const refunding = (rail: HeldRail, carrying: string, of: Hold['of'], goesOn: Moment['goesOn'] = nothing): Moment => ({
  rail,
  name:
    of === 'question'
      ? 'the gateway is about to send a committed refund'
      : 'the provider has the refund and its response has not arrived',
  relay: ofProvider(rail),
  hold: () => ({ carrying, of }),
  first: paidAndSettled,
  act: refunds,
  goesOn,
  ends: ENDS_REFUNDED,
});

/** A moment at a commit in the database. */
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

/**
 * Matches the statement that turns an order into a deposit. The order's name alone is so short that another commit could
 * contain it by chance.
 */
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

/** Each list is one kill. Together they cover each kind of moment. */
const KILLS: readonly (readonly Moment[])[] = [
  [
    // Early in the list, because the gateway writes the payer's next step again after each query.
    inDatabase(
      'pix',
      'the provider’s answer is written and not committed',
      'question',
      recording,
      () => 'br.gov.bcb.pix',
    ),
    notSent('token-io'),
    inDatabase(
      'vopay',
      'the attempt is written and not committed',
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
    // No payer has seen this attempt's challenge: Adyen neither responds to queries about it nor sends a notification.
    unanswered('adyen', {
      goesOn: (visit) => visit.until('unknown'),
      ends: { ...open('unknown'), available: '5.00' },
    }),
    // No payer has the URL of the provider's page, so none can be on it.
    unanswered('trustly', { goesOn: triesAgain, ends: ENDS_PAID_AT_SECOND }),
    unanswered('token-io', { goesOn: acts, ends: ENDS_PAID }),
    inDatabase(
      'vopay',
      'the attempt is committed and the gateway does not know so',
      'answer',
      { act: submits, goesOn: triesAgain, ends: ENDS_PAID_AT_SECOND },
      ofFirstTry,
    ),
  ],
  [
    refunding('trustly', '"Refund"', 'question'),
    {
      rail: 'adyen',
      name: 'the card is charged and Adyen’s response has not arrived',
      relay: ofProvider('adyen'),
      hold: () => ({ carrying: OPENING.adyen, of: 'answer' }),
      act: (visit) => visit.submit(CARDS.plain),
      goesOn: nothing,
      ends: ENDS_PAID,
    },
    notSent('vopay'),
  ],
  [
    notifiedOfPayment('trustly', 'answer'),
    refunding('adyen', '/refunds', 'question'),
    refunding('vopay', 'transactions/refund', 'question', takesRefund),
    inDatabase('pix', 'the payment is committed and the gateway does not know so', 'answer', receiving, ofReference),
  ],
];

const KILLS_OF_FULL_RUN: readonly (readonly Moment[])[] = [
  [
    notSent('trustly'),
    inDatabase(
      'vopay',
      'the provider’s answer is committed and the gateway does not know so',
      'answer',
      recording,
      () => 'bank_message',
    ),
  ],
  [
    {
      rail: 'adyen',
      name: 'the payer is back from their bank, Adyen’s response has not arrived, and its webhook is late',
      relay: ofProvider('adyen'),
      hold: () => ({ carrying: '/payments/details', of: 'answer' }),
      first: submits,
      act: returnsUnnoticed,
      goesOn: leavesWithoutEffect,
      ends: ENDS_PAID,
    },
  ],
  [
    notifiedOfPayment('trustly', 'question'),
    {
      rail: 'adyen',
      name: 'the payer is back from their bank and Adyen’s response has not arrived',
      relay: ofProvider('adyen'),
      hold: () => ({ carrying: '/payments/details', of: 'answer' }),
      first: submits,
      act: (visit) => visit.act(),
      goesOn: nothing,
      ends: ENDS_PAID,
    },
    unanswered('vopay', { goesOn: acts, ends: ENDS_PAID }),
  ],
  [
    refunding('trustly', '"Refund"', 'answer'),
    refunding('adyen', '/refunds', 'answer'),
    inDatabase('vopay', 'the payment is written and not committed', 'question', receiving, ofReference),
  ],
  [
    refunding('vopay', 'transactions/refund', 'answer', takesRefund),
    {
      rail: 'trustly',
      name: 'everything is recorded and the page has not reached the payer',
      relay: ofRoute('page'),
      hold: () => ({ carrying: 'act=pay', of: 'answer' }),
      act: submits,
      goesOn: acts,
      ends: ENDS_PAID,
    },
  ],
];

const PLAYED = process.env['TEST_FULL'] ? [...KILLS, ...KILLS_OF_FULL_RUN] : KILLS;
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

/** Resolves when the gateway is at that moment. */
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

describe('kill -9 of the gateway during form payments', () => {
  for (const moments of PLAYED) {
    it(`the gateway restarts after kill -9 when ${moments.map(({ rail, name }) => `${name} (${rail})`).join(', or ')}`, async () => {
      // One moment at a time: holding a call of one payment would also hold the others.
      for (const moment of moments) await reach(moment);
      await gateway.kill();
      gateway = await startGatewayProcess(scene.variables);
    });
  }
});

describe('form payments after all kills', () => {
  it('every payment, refund and callback happened once after the kills', async () => {
    // One payer per provider at a time, so that the machine does not delay them.
    await Promise.all(
      RAIL_NAMES.map(async (rail) => {
        for (const { moment, visit } of begun.filter((each) => each.moment.rail === rail)) {
          await moment.goesOn(visit);
          await visit.ends(moment.ends);
        }
      }),
    );
    assert.equal(begun.length, PLAYED.flat().length);
  });

  it('the books balance after the kills of form payments', async () => {
    for (const { visit } of begun) await visit.assertUnchanged();
    await scene.verify();
    await gateway.stop();
  });
});
