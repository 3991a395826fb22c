/**
 * Events after the final state, for every payment type of the hosted form: chargebacks, their reversals by a bank, and refunds
 * by the operator. The deposit keeps its state, and each event moves the money exactly once.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { CARDS } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { type FormVisit, PAID, type Standing } from '../../support/form-providers/form-visit.ts';
import {
  describeRails,
  inFullRun,
  type ProviderCase,
  type ProviderTest,
  type RailCases,
} from '../../support/form-providers/provider-cases.ts';
import { PENDING_CARD } from '../../support/form-providers/provider-endings.ts';
import { openProviderStage, type ProviderStage } from '../../support/form-providers/provider-stage.ts';
import type { RailName } from '../../support/form-providers/providers.ts';
import { until } from '../../support/tools/until.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

type Cases = RailCases[RailName];
type Faults = Readonly<Record<string, unknown>>;

/** Pays, and waits for the merchant's callback. */
async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  if (visit.rail === 'adyen') await visit.submit(CARDS.plain);
  else {
    await visit.submit();
    await visit.act(behaviour);
  }
  await visit.until('paid');
}

/** Additional balance of the merchant: a full refund costs more than was credited, because of the fee. */
const FUNDS = '5.00';
const FUNDED: Standing = { ...PAID, available: '15.00' };
const REFUNDED: Standing = {
  ...FUNDED,
  events: ['deposit.refunded 10.50'],
  refunds: ['success 10.50'],
  available: '4.50',
  givenBack: 1,
};
/** The provider declined the refund, so the money is back in the merchant's account. */
const REFUND_REFUSED: Standing = { ...FUNDED, refunds: ['blocked 10.50'] };
/** The outcome of the refund is unknown, so the money stays reserved. */
const REFUND_OPEN: Standing = { ...FUNDED, refunds: ['pending 10.50'], available: '4.50' };

const GIVES_BACK: ProviderCase = {
  name: 'a payer receives a full refund, and no more than that',
  funds: FUNDS,
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund(), '');
    assert.notEqual(await visit.refund('0.01'), '', 'a second refund is rejected');
  },
  ends: REFUNDED,
};

const GIVES_PARTS: ProviderCase = {
  name: 'a payer receives a refund in two parts',
  funds: FUNDS,
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund('4.00'), '');
    assert.notEqual(await visit.refund('6.51'), '', 'a refund above the rest is rejected');
    assert.equal(await visit.refund(), '');
  },
  ends: {
    ...REFUNDED,
    events: ['deposit.refunded 4.00', 'deposit.refunded 6.50'],
    refunds: ['success 4.00', 'success 6.50'],
    givenBack: 2,
  },
};

const WITHOUT_MONEY: ProviderCase = {
  name: 'a refund is rejected when the merchant’s balance is short',
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund(), 'insufficient_funds');
  },
  ends: PAID,
};

/** `isOver` resolves to true when the fault may end. By default, that is when the provider received the refund request. */
function refundUnder(faults: Faults, ends: Standing, isOver = wasNotified): ProviderCase {
  return {
    name: `a refund ends correctly under ${JSON.stringify(faults)}`,
    funds: FUNDS,
    async play(visit) {
      await pay(visit);
      await visit.under(faults, async () => {
        assert.equal(await visit.refund(), '');
        await until('the provider showed its fault', () => isOver(visit));
      });
    },
    ends,
  };
}

const wasNotified = async (visit: FormVisit) => visit.calls().some((call) => call.startsWith('send'));

/** True if the provider's book has an entry of one of these kinds. */
const bookHas =
  (...kinds: readonly string[]) =>
  async (visit: FormVisit) =>
    (await visit.provider.story(await visit.names())).some(({ kind }) => kinds.includes(String(kind)));

const ALL: Cases = [GIVES_BACK, ...inFullRun(GIVES_PARTS, WITHOUT_MONEY)];

const TAKEN_BACK: Standing = { ...PAID, available: '0.00', owed: '-0.50' };

const takenBack = (kind: string): Standing => ({
  ...TAKEN_BACK,
  events: [`deposit.${kind} 10.50`],
  later: [`${kind} 10.50`],
});

/** An event that Adyen or the payer's bank initiates. */
const atAdyen = (what: string, ends: Standing, change: Faults = {}): ProviderCase => ({
  name: `a paid deposit ends correctly after the provider’s "${what}" ${Object.keys(change).join(' ')}`.trim(),
  async play(visit) {
    await pay(visit);
    await visit.provider.control(what, { reference: (await visit.names()).reference, ...change });
  },
  ends,
});

/** Prepares a held payment and an unpaid order of another merchant. */
async function heldBesideOrder({ gateway, visit }: ProviderStage) {
  const from = await visit('adyen');
  await from.under({ webhooks: 'wrong_amount' }, async () => {
    await from.submit(PENDING_CARD);
    await from.until('paid');
  });
  const to = await visit('adyen');
  await to.submit(CARDS.challenge);
  const { reference } = await from.names();
  const chargeBack = async () => {
    await from.provider.control('charge-back', { reference });
    await until('the chargeback is recorded', async () => (await from.standing()).later.length === 1);
  };
  const credit = async () => {
    const order = { merchantId: to.merchant.id, orderId: to.order };
    const reason = 'paid for the wrong order';
    const resolved = await gateway.operations.deposits.resolve({
      rail: 'adyen',
      transferKey: reference,
      to: order,
      reason,
    });
    assert.ok(resolved.ok);
  };
  return { from, to, chargeBack, credit };
}

/** In these tests Adyen's notification reports 999999.99 for the payment, and the fee is 0.50. */
const MOVED: readonly ProviderTest[] = [
  {
    name: 'a chargeback of a held payment debits the order that the operator credited with it',
    async run(stage) {
      const { from, to, chargeBack, credit } = await heldBesideOrder(stage);
      await credit();
      await chargeBack();
      const { available, later } = await to.standing();
      assert.deepEqual([available, later], ['999988.99', ['charged_back 10.50']]);
      await until('the event arrives at the merchant', async () => (await to.standing()).events.length === 1);
      assert.deepEqual((await to.standing()).events, ['deposit.charged_back 10.50']);
      const home = await from.standing();
      assert.deepEqual([home.available, home.suspense, home.owed, home.events], ['0.00', '0.00', '0.00', []]);
    },
  },
  {
    name: 'held money that was charged back is not credited to another order',
    async run(stage) {
      const { from, to, chargeBack, credit } = await heldBesideOrder(stage);
      await chargeBack();
      assert.equal((await from.standing()).suspense, '999989.49');
      await credit();
      assert.equal((await to.standing()).available, '999988.99');
      assert.equal((await from.standing()).suspense, '0.00');
    },
  },
];

const ADYEN: Cases = [
  GIVES_BACK,
  GIVES_PARTS,
  WITHOUT_MONEY,
  ...MOVED,
  atAdyen('charge-back', takenBack('charged_back')),
  atAdyen(
    'charge-back',
    { ...PAID, events: ['deposit.charged_back 4.00'], later: ['charged_back 4.00'], available: '6.00' },
    { value: 400 },
  ),
  atAdyen('refund', { ...takenBack('refunded'), givenBack: 1 }),
  atAdyen('fail-capture', takenBack('debited')),
  {
    name: 'a merchant gets the money back when it wins the dispute of a chargeback',
    async play(visit) {
      await pay(visit);
      const { reference } = await visit.names();
      await visit.provider.control('charge-back', { reference });
      await until('the chargeback is recorded', async () => (await visit.standing()).later.length === 1);
      await visit.provider.control('reverse-chargeback', { reference });
    },
    ends: {
      ...PAID,
      events: ['deposit.chargeback_undone 10.50', 'deposit.charged_back 10.50'],
      later: ['charged_back 10.50', 'chargeback_undone 10.50'],
    },
  },
  {
    name: 'twenty notifications of one chargeback at the same moment debit the merchant once',
    async play(visit) {
      await pay(visit);
      visit.tapped.times = 20;
      const from = visit.tapped.received.length;
      await visit.provider.control('charge-back', { reference: (await visit.names()).reference });
      await until('the chargeback’s notification is sent', () =>
        visit.tapped.received.slice(from).some(({ body }) => body.includes('CHARGEBACK')),
      );
      visit.tapped.times = 1;
    },
    ends: takenBack('charged_back'),
  },
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED, bookHas('refunded', 'refund_refused')),
  refundUnder({ unanswered: 99 }, REFUNDED),
  ...inFullRun(refundUnder({ answer_500_after: 99 }, REFUNDED), refundUnder({ lost: 99 }, REFUNDED)),
];

const PIX: Cases = [
  ...ALL,
  {
    name: 'a fraud claim of the payer’s bank debits the paid deposit',
    async play(visit) {
      await pay(visit);
      const [received] = (await visit.provider.story(await visit.names())).filter(
        ({ kind }) => kind === 'pix_received',
      );
      const pix = (received?.['pix'] ?? []) as { endToEndId: string }[];
      await visit.provider.control('reverse', { endToEndId: pix[0]?.endToEndId, natureza: 'MED_FRAUDE' });
    },
    ends: takenBack('charged_back'),
  },
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
  refundUnder({ refunds: 'settle_unanswered' }, REFUNDED),
  ...inFullRun(
    refundUnder({ refunds: 'settle_500' }, REFUNDED),
    refundUnder({ refunds: 'lose' }, REFUNDED),
    refundUnder({ refunds: 'fail' }, REFUND_REFUSED),
    refundUnder({ refunds: 'stay' }, REFUND_OPEN),
  ),
];

const TOKEN_IO: Cases = [
  ...ALL,
  refundUnder({ refunds: 'accept_unanswered' }, REFUNDED),
  ...inFullRun(
    refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
    refundUnder({ refunds: 'accept_500' }, REFUNDED),
    refundUnder({ refunds: 'lose' }, REFUNDED),
    refundUnder({ refunds: 'error_200' }, REFUNDED),
    refundUnder({ refund_outcome: 'rejected' }, { ...REFUND_REFUSED, givenBack: 1 }, bookHas('refund_status')),
    refundUnder({ refund_outcome: 'no_final_status' }, { ...REFUND_OPEN, givenBack: 1 }, bookHas('refund_status')),
  ),
];

const TRUSTLY: Cases = [
  ...ALL,
  {
    name: 'a paid deposit is debited when its money never reaches Trustly',
    play: (visit) => pay(visit, 'pay_and_fail'),
    ends: takenBack('debited'),
  },
  {
    name: 'a paid deposit is debited when its money never reaches Trustly, in any order of notifications',
    play: (visit) => visit.under({ notifications: 'out_of_order' }, () => pay(visit, 'pay_and_fail')),
    ends: takenBack('debited'),
  },
  refundUnder({ refunds: 'accept_unanswered' }, REFUNDED),
  ...inFullRun(
    refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
    refundUnder({ refunds: 'accept_500' }, REFUNDED),
    refundUnder({ refunds: 'lose' }, REFUNDED),
    refundUnder({ refunds: 'foreign_key' }, REFUNDED),
    refundUnder({ refunds: 'error_620' }, REFUNDED),
  ),
];

/** Deposits every transfer that VoPay sent to the payer. Until then the refund is pending. */
async function depositAll(visit: FormVisit, how: Faults = {}): Promise<void> {
  const story = await visit.provider.story(await visit.names());
  const sent = new Set(story.filter(({ parentId }) => parentId !== null).map(({ id }) => id));
  for (const id of sent) await visit.provider.whenItCan('deposit', { id, ...how });
}

function thenDeposited(each: ProviderCase, how?: Faults): ProviderCase {
  return {
    ...each,
    async play(visit) {
      await each.play(visit, stage);
      await until(
        'VoPay has accepted the refund',
        async () => (await visit.standing()).givenBack === each.ends.givenBack,
      );
      await depositAll(visit, how);
    },
  };
}

const VOPAY: Cases = [
  thenDeposited(GIVES_BACK),
  ...inFullRun(thenDeposited(GIVES_PARTS), WITHOUT_MONEY),
  {
    ...GIVES_BACK,
    name: 'a refund stays pending while the payer does not deposit it',
    ends: { ...REFUND_OPEN, givenBack: 1 },
  },
  {
    ...thenDeposited({ ...GIVES_BACK, ends: { ...REFUND_REFUSED, givenBack: 1 } }, { expire: true }),
    name: 'a refund is declined when it expires before the payer deposits it',
  },
  ...['accept_unanswered', ...inFullRun('accept_500', 'accept_and_answer_error', 'answer_error', 'lose')].map(
    (refunds) => thenDeposited(refundUnder({ refunds }, REFUNDED)),
  ),
  ...inFullRun(refundUnder({ refunds: 'refuse' }, REFUND_REFUSED)),
];

describeRails('a payer', () => stage, { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY });
