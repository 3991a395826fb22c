/**
 * What comes after the result, at every payment type of the hosted form: what a bank takes back and gives again, and what
 * the operator gives back through the rail that it came by. The deposit stays as it ended; the money moves once.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { CARDS } from '../support/form-providers/adyen.ts';
import { type FormVisit, PAID, type Standing } from '../support/form-providers/form-visit.ts';
import {
  describeRails,
  inFullRun,
  type ProviderCase,
  type ProviderTest,
  type RailCases,
} from '../support/form-providers/provider-cases.ts';
import { PENDING_CARD } from '../support/form-providers/provider-endings.ts';
import { openProviderStage, type ProviderStage } from '../support/form-providers/provider-stage.ts';
import type { RailName } from '../support/form-providers/providers.ts';
import { until } from '../support/until.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

type Cases = RailCases[RailName];
type Faults = Readonly<Record<string, unknown>>;

/** Has paid, and the merchant was told. */
async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  if (visit.rail === 'adyen') await visit.submit(CARDS.plain);
  else {
    await visit.submit();
    await visit.act(behaviour);
  }
  await visit.until('paid');
}

/** The merchant has 5.00 beside it, or all of it could not be given back. */
const FUNDS = '5.00';
const FUNDED: Standing = { ...PAID, available: '15.00' };
const REFUNDED: Standing = {
  ...FUNDED,
  events: ['deposit.refunded 10.50'],
  refunds: ['success 10.50'],
  available: '4.50',
  givenBack: 1,
};
/** The provider said no, so the money is the merchant's again. */
const REFUND_REFUSED: Standing = { ...FUNDED, refunds: ['blocked 10.50'] };
/** Nobody can say what became of it: the money waits. */
const REFUND_OPEN: Standing = { ...FUNDED, refunds: ['pending 10.50'], available: '4.50' };

const GIVES_BACK: ProviderCase = {
  name: 'is given all of it back, and no more',
  funds: FUNDS,
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund(), '');
    assert.notEqual(await visit.refund('0.01'), '', 'nothing is left');
  },
  ends: REFUNDED,
};

const GIVES_PARTS: ProviderCase = {
  name: 'is given parts of it back, and the rest',
  funds: FUNDS,
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund('4.00'), '');
    assert.notEqual(await visit.refund('6.51'), '', 'that is more than is left');
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
  name: 'is given nothing back that the merchant does not have',
  async play(visit) {
    await pay(visit);
    assert.equal(await visit.refund(), 'insufficient_funds');
  },
  ends: PAID,
};

/** `isOver`: until when the provider behaves so; else until it was asked for the refund. */
function refundUnder(faults: Faults, ends: Standing, isOver = wasTold): ProviderCase {
  return {
    name: `is given it back as it must be under ${JSON.stringify(faults)}`,
    funds: FUNDS,
    async play(visit) {
      await pay(visit);
      await visit.under(faults, async () => {
        assert.equal(await visit.refund(), '');
        await until('the provider behaves so', () => isOver(visit));
      });
    },
    ends,
  };
}

const wasTold = async (visit: FormVisit) => visit.calls().some((call) => call.startsWith('send'));

/** Of such a kind, or some other end of it. */
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

/** Somebody at Adyen, or at the payer's bank. */
const atAdyen = (what: string, ends: Standing, change: Faults = {}): ProviderCase => ({
  name: `has paid, and then comes "${what}" ${Object.keys(change).join(' ')}`.trim(),
  async play(visit) {
    await pay(visit);
    await visit.provider.control(what, { reference: (await visit.names()).reference, ...change });
  },
  ends,
});

/** Somebody's payment is held, and another order, of another merchant, waits for money. */
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
    await until('it is charged back', async () => (await from.standing()).later.length === 1);
  };
  const credit = async () => {
    const order = { merchantId: to.merchant.id, orderId: to.order };
    const reason = 'paid for the wrong order';
    const resolved = await gateway.operations.deposits.resolve({
      ...{ rail: 'adyen', transferKey: reference },
      ...{ to: order, reason },
    });
    assert.ok(resolved.ok);
  };
  return { from, to, chargeBack, credit };
}

/** 999999.99 came for the payment, by Adyen's own word; 0.50 is the fee. */
const MOVED: readonly ProviderTest[] = [
  {
    name: 'has paid for the wrong order, and a chargeback takes the money from the order that it was credited to',
    async run(stage) {
      const { from, to, chargeBack, credit } = await heldBesideOrder(stage);
      await credit();
      await chargeBack();
      const { available, later } = await to.standing();
      assert.deepEqual([available, later], ['999988.99', ['charged_back 10.50']]);
      await until('its merchant is sent the event', async () => (await to.standing()).events.length === 1);
      assert.deepEqual((await to.standing()).events, ['deposit.charged_back 10.50']);
      const home = await from.standing();
      assert.deepEqual([home.available, home.suspense, home.owed, home.events], ['0.00', '0.00', '0.00', []]);
    },
  },
  {
    name: 'has paid for the wrong order, and what was charged back before is not credited to another order',
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
  ...[GIVES_BACK, GIVES_PARTS, WITHOUT_MONEY],
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
    name: 'has paid, the bank takes it back, and the merchant wins the dispute',
    async play(visit) {
      await pay(visit);
      const { reference } = await visit.names();
      await visit.provider.control('charge-back', { reference });
      await until('it is taken back', async () => (await visit.standing()).later.length === 1);
      await visit.provider.control('reverse-chargeback', { reference });
    },
    ends: {
      ...PAID,
      events: ['deposit.chargeback_undone 10.50', 'deposit.charged_back 10.50'],
      later: ['charged_back 10.50', 'chargeback_undone 10.50'],
    },
  },
  {
    name: 'has paid, and a chargeback that is told twenty times at once is one',
    async play(visit) {
      await pay(visit);
      visit.tapped.times = 20;
      const from = visit.tapped.told.length;
      await visit.provider.control('charge-back', { reference: (await visit.names()).reference });
      await until('it is told', () => visit.tapped.told.slice(from).some(({ body }) => body.includes('CHARGEBACK')));
      visit.tapped.times = 1;
    },
    ends: takenBack('charged_back'),
  },
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED, bookHas('refunded', 'refund_refused')),
  refundUnder({ unanswered: 99 }, REFUNDED),
  refundUnder({ answer_500_after: 99 }, REFUNDED),
  refundUnder({ lost: 99 }, REFUNDED),
];

const PIX: Cases = [
  ...ALL,
  {
    name: 'has paid, and the bank takes it back for fraud',
    async play(visit) {
      await pay(visit);
      const [received] = (await visit.provider.story(await visit.names())).filter(
        ({ kind }) => kind === 'pix_received',
      );
      const pix = (received?.['pix'] ?? []) as { endToEndId: string }[];
      await visit.provider.control('take-back', { endToEndId: pix[0]?.endToEndId, natureza: 'MED_FRAUDE' });
    },
    ends: takenBack('charged_back'),
  },
  refundUnder({ refunds: 'settle_unanswered' }, REFUNDED),
  refundUnder({ refunds: 'settle_500' }, REFUNDED),
  refundUnder({ refunds: 'lose' }, REFUNDED),
  refundUnder({ refunds: 'fail' }, REFUND_REFUSED),
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
  refundUnder({ refunds: 'stay' }, REFUND_OPEN),
];

const TOKEN_IO: Cases = [
  ...ALL,
  refundUnder({ refunds: 'take_unanswered' }, REFUNDED),
  refundUnder({ refunds: 'take_500' }, REFUNDED),
  refundUnder({ refunds: 'lose' }, REFUNDED),
  refundUnder({ refunds: 'error_200' }, REFUNDED),
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
  refundUnder({ refund_outcome: 'rejected' }, { ...REFUND_REFUSED, givenBack: 1 }, bookHas('refund_status')),
  refundUnder({ refund_outcome: 'no_final_status' }, { ...REFUND_OPEN, givenBack: 1 }, bookHas('refund_status')),
];

const TRUSTLY: Cases = [
  ...ALL,
  {
    name: 'has paid, and it never came to Trustly',
    play: (visit) => pay(visit, 'pay_and_fail'),
    ends: takenBack('debited'),
  },
  {
    name: 'has paid what never came to Trustly, in whatever order that is told',
    play: (visit) => visit.under({ notifications: 'out_of_order' }, () => pay(visit, 'pay_and_fail')),
    ends: takenBack('debited'),
  },
  refundUnder({ refunds: 'take_unanswered' }, REFUNDED),
  refundUnder({ refunds: 'take_500' }, REFUNDED),
  refundUnder({ refunds: 'lose' }, REFUNDED),
  refundUnder({ refunds: 'foreign_key' }, REFUNDED),
  refundUnder({ refunds: 'error_620' }, REFUNDED),
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
];

/** The payer has to deposit what VoPay sends them; until then it is on its way. */
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
      await until('VoPay has taken it', async () => (await visit.standing()).givenBack === each.ends.givenBack);
      await depositAll(visit, how);
    },
  };
}

const VOPAY: Cases = [
  thenDeposited(GIVES_BACK),
  thenDeposited(GIVES_PARTS),
  WITHOUT_MONEY,
  { ...GIVES_BACK, name: 'is given it back, and leaves it where it is', ends: { ...REFUND_OPEN, givenBack: 1 } },
  {
    ...thenDeposited({ ...GIVES_BACK, ends: { ...REFUND_REFUSED, givenBack: 1 } }, { expire: true }),
    name: 'is given it back, and never takes it',
  },
  ...['take_unanswered', 'take_500', 'take_and_say_no', 'say_no', 'lose'].map((refunds) =>
    thenDeposited(refundUnder({ refunds }, REFUNDED)),
  ),
  refundUnder({ refunds: 'refuse' }, REFUND_REFUSED),
];

describeRails('a payer', () => stage, { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY });
