/**
 * What providers tell by themselves, at every payment type of the hosted form: many times at once, late, in another order,
 * of another amount, twice paid, after the payer's time, or not at all but for somebody who pretends to be them. What was not
 * paid confirms nothing; what was paid is the merchant's once, or is held.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { sign } from '../../../rail-simulators/src/trustly/signed-texts.ts';
import { identifierOf } from '../../src/rails/pix/identifiers.ts';
import { CARDS } from '../support/form-providers/adyen.ts';
import { type FormVisit, failed, open, PAID, type Standing } from '../support/form-providers/form-visit.ts';
import { describeRails, type ProviderCase, type RailCases } from '../support/form-providers/provider-cases.ts';
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

/** Adyen answers only that it waits. */
const PENDING_CARD = madeUpCard('1', '03');
const PENDING_REFUSED_CARD = madeUpCard('1', '04');

/** Pays so that the provider has something to tell. */
async function pay(visit: FormVisit, behaviour?: string): Promise<void> {
  if (visit.rail === 'adyen') return void (await visit.submit(PENDING_CARD));
  await visit.submit();
  await visit.act(behaviour);
}

const held = (mismatch: string, amount = '10.50'): Standing => ({
  ...open('paid'),
  money: [`held ${mismatch} ${amount}`],
  suspense: amount,
  charges: 1,
});

/** Paid as asked for, and then once more. */
const PAID_TWICE: Standing = {
  ...PAID,
  money: ['credited 10.50', 'held twice 10.50'],
  suspense: '10.50',
  charges: 2,
};

/** The deposit had failed, and was told so, before the money came. */
const heldLate = (reason: string): Standing => ({
  ...failed(reason, 'paid'),
  money: ['held late 10.50'],
  suspense: '10.50',
  charges: 1,
});

const TWENTY = 20;

const TOLD_TWENTY_TIMES: ProviderCase = {
  name: 'has paid once, though each notification comes twenty times at once, and twenty times later',
  async play(visit) {
    visit.tapped.times = TWENTY;
    try {
      const from = visit.tapped.told.length;
      await pay(visit);
      await visit.until('paid');
      const told = await until('it is told', () => visit.tapped.told.length > from && visit.tapped.told.slice(from));
      for (const each of told) await Promise.all(Array.from({ length: TWENTY }, () => visit.tapped.tell(each)));
    } finally {
      visit.tapped.times = 1;
    }
  },
  ends: PAID,
};

const toldBadly = (faults: Faults, ends: Standing = PAID): ProviderCase => ({
  name: `ends as it must where notifications come like ${JSON.stringify(faults)}`,
  async play(visit) {
    await visit.under(faults, async () => {
      await pay(visit);
      await visit.until('paid');
    });
  },
  ends,
});

const paysOtherwise = (behaviour: string, ends: Standing, settings: ProviderCase['settings'] = {}): ProviderCase => ({
  name: `pays like "${behaviour}" ${Object.entries(settings).join(' ').replaceAll(',', ' = ')}`.trim(),
  settings,
  play: (visit) => pay(visit, behaviour),
  ends,
});

/** The payer goes away, and time passes. */
const NOBODY_ACTS: ProviderCase = {
  name: 'does nothing, so it is over with their time',
  async play(visit) {
    await visit.submit();
    await visit.until('acting');
    await visit.ageBeyondValidity();
    await visit.untilExpired();
  },
  ends: failed('expired', 'refused expired'),
};

/** Of the latest notification, as somebody might send it who has changed something in it. */
async function tellChanged(visit: FormVisit, change: (body: string) => string): Promise<number> {
  const last = visit.tapped.told.at(-1);
  assert.ok(last, 'nothing was told yet');
  const body = change(last.body);
  assert.notEqual(body, last.body);
  return visit.tapped.tell({ ...last, body });
}

const ADYEN: Cases = [
  TOLD_TWENTY_TIMES,
  toldBadly({ webhooks: 'twice' }),
  toldBadly({ webhooks: 'late' }),
  toldBadly({ webhooks: 'wrong_amount' }, held('over', '999999.99')),
  toldBadly({ webhooks: 'forged' }),
  {
    name: 'is refused, though somebody forges that the card was authorised',
    play: (visit) =>
      visit.under({ webhooks: 'forged' }, async () => {
        await visit.submit(PENDING_REFUSED_CARD);
        await visit.until('refused');
      }),
    ends: open('refused insufficient_funds'),
  },
  {
    name: 'has paid what is signed, whatever somebody makes of it',
    async play(visit) {
      await pay(visit);
      await visit.until('paid');
      const { reference } = await visit.names();
      await until('it is told', () => visit.tapped.told.some(({ body }) => body.includes(reference)));
      assert.equal(await tellChanged(visit, (body) => body.replace('"value":1050', '"value":105000')), 401);
      assert.equal(await tellChanged(visit, (body) => body.replace('AUTHORISATION', 'CHARGEBACK')), 401);
    },
    ends: PAID,
  },
  {
    name: 'has paid before it was charged back, in whatever order that is told',
    async play(visit) {
      const letGo = visit.tapped.holdBack((body) => body.includes('"AUTHORISATION"'));
      await pay(visit);
      const { reference } = await visit.names();
      await until('it is authorised', async () => (await visit.provider.charges(await visit.names())) === 1);
      await visit.provider.control('charge-back', { reference });
      await until('the chargeback is put off', () =>
        visit.tapped.told.some(({ body, status }) => body.includes('"CHARGEBACK"') && status >= 400),
      );
      letGo();
    },
    ends: {
      ...PAID,
      events: ['deposit.charged_back 10.50'],
      later: ['charged_back 10.50'],
      available: '0.00',
      owed: '-0.50',
    },
  },
  {
    name: 'has paid in time where Adyen decides after it',
    async play(visit) {
      const letGo = visit.tapped.holdBack(() => true);
      await pay(visit);
      await visit.ageBeyondValidity();
      await visit.untilAsked('deciding');
      letGo();
    },
    ends: PAID,
  },
  {
    name: 'gives up at the challenge, and answering it later charges nobody',
    async play(visit) {
      const challenge = await visit.submit(CARDS.challenge);
      await visit.press('cancel');
      await visit.at(challenge).act();
    },
    ends: failed('cancelled', 'abandoned'),
  },
  { ...NOBODY_ACTS, ends: failed('expired', 'abandoned') },
];

const PIX: Cases = [
  TOLD_TWENTY_TIMES,
  toldBadly({ notifications: 'twice' }),
  toldBadly({ notifications: 'late' }),
  toldBadly({ notifications: 'batched' }),
  // The bank is asked, so what is told of the amount decides nothing.
  toldBadly({ notifications: 'wrong_amount' }),
  {
    name: 'has not paid, whatever another client of the bank brings about',
    async play(visit) {
      await visit.submit();
      const { reference } = await visit.names();
      const txid = identifierOf(reference);
      const from = visit.tapped.told.length;
      const pix = {
        endToEndId: 'E9999900420261120120000000000001',
        txid,
        valor: '10.50',
        horario: '2026-11-20T12:00:00Z',
      };
      await visit.provider.control('made-up-callback', { ...pix, chave: 'loja@example.com' });
      await until('it is told', () => visit.tapped.told.length > from);
      assert.equal(visit.tapped.told.at(-1)?.status, 200, 'the bank was asked');
    },
    ends: open('acting'),
  },
  paysOtherwise('short', held('short', '9.50')),
  paysOtherwise('over', held('over', '11.50')),
  paysOtherwise(
    'short',
    { ...PAID, money: ['credited short 9.50'], told: ['success 9.50 9.00'], available: '9.00' },
    { mismatch_policy: 'credit' },
  ),
  paysOtherwise('twice', PAID_TWICE),
  paysOtherwise(
    'twice',
    {
      ...PAID_TWICE,
      money: ['credited 10.50', 'credited twice 10.50'],
      events: ['deposit.twice 10.50'],
      available: '20.00',
      suspense: '0.00',
    },
    { mismatch_policy: 'credit' },
  ),
  paysOtherwise('other_cpf', held('other_payer')),
  paysOtherwise('other_cpf', { ...PAID, money: ['credited other_payer 10.50'] }, { other_payer_policy: 'credit' }),
  NOBODY_ACTS,
  {
    name: 'pays after their time, when the charge was removed already',
    async play(visit) {
      await visit.submit();
      await visit.ageBeyondValidity();
      await visit.untilExpired();
      await visit.act('in_flight');
    },
    ends: heldLate('expired'),
  },
  {
    name: 'pays at the very moment at which their time ends',
    async play(visit) {
      await visit.submit();
      await visit.under({ removals: 'paid_first' }, async () => {
        await visit.ageBeyondValidity();
        await visit.until('paid');
      });
    },
    ends: PAID,
  },
  {
    name: 'cancels, and pays all the same',
    async play(visit) {
      await visit.submit();
      await visit.press('cancel');
      await visit.act('in_flight');
    },
    ends: heldLate('cancelled'),
  },
];

const TOKEN_IO: Cases = [
  TOLD_TWENTY_TIMES,
  toldBadly({ webhooks: 'twice' }),
  toldBadly({ webhooks: 'late' }),
  toldBadly({ webhooks: 'out_of_order' }),
  // It is asked for as well, and then it is heard as it is.
  toldBadly({ webhooks: 'forged' }),
  toldBadly({ webhooks: 'foreign_key' }),
  toldBadly({ webhooks: 'foreign_member' }),
  {
    name: 'has not paid, whatever somebody makes of what was told of another payment',
    async play(visit) {
      const other = await stage.visit('token-io');
      await pay(other);
      await other.ends(PAID);
      const { reference } = await other.names();
      const told = await until('it is told', () =>
        visit.tapped.told.findLast(({ body }) => body.includes(reference) && body.includes('SETTLEMENT_COMPLETED')),
      );
      await visit.submit();
      const names = await visit.names();
      const statuses = [
        await visit.tapped.tell({ ...told, body: told.body.replaceAll(reference, names.reference) }),
        await visit.tapped.tell({ ...told, headers: { ...told.headers, 'token-signature': '' } }),
        await visit.tapped.tell(told),
      ];
      assert.deepEqual(statuses, [401, 401, 200]);
    },
    ends: open('acting'),
  },
  // It is we who cancel it.
  { ...NOBODY_ACTS, ends: failed('expired', 'refused cancelled_by_payer') },
  {
    name: 'has agreed in time, and pays after it',
    async play(visit) {
      const letGo = visit.tapped.holdBack(() => true);
      await visit.submit();
      await visit.act();
      await visit.ageBeyondValidity();
      letGo();
    },
    ends: PAID,
  },
];

interface TrustlyTold {
  readonly orderId: string;
  readonly messageId: string;
}

/** A credit that Trustly truly signs. */
function creditOf(visit: FormVisit, { orderId, messageId }: TrustlyTold) {
  const about = { orderid: orderId, messageid: messageId, enduserid: 'somebody', notificationid: '999' };
  const data = {
    ...about,
    amount: '10.50',
    currency: 'EUR',
    timestamp: '2026-11-20 12:00:00.000000+00',
    attributes: {},
  };
  const call = { method: 'credit', uuid: '258a2184-2842-b485-25ca-293525152425', data };
  const signature = sign(call, stage.providers.trustly.key, 'RS256');
  const body = JSON.stringify({ method: call.method, params: { signature, uuid: call.uuid, data }, version: '1.1' });
  const headers = { 'content-type': 'application/json' };
  return visit.tapped.tell({ path: '/rail-notifications/trustly', headers, body });
}

const notBelieved = (notifications: string): ProviderCase => ({
  name: `has not paid as long as nobody knows that it was Trustly who said so (${notifications})`,
  async play(visit) {
    await visit.submit();
    const from = visit.tapped.told.length;
    await visit.under({ notifications }, async () => {
      await visit.act();
      const told = await until('Trustly tells', () => visit.tapped.told.length > from && visit.tapped.told.slice(from));
      assert.ok(told.every(({ status }) => status === 401));
      assert.deepEqual(await visit.standing(), { ...open('acting'), charges: 1 });
    });
  },
  ends: PAID,
});

const TRUSTLY: Cases = [
  TOLD_TWENTY_TIMES,
  toldBadly({ notifications: 'twice' }),
  toldBadly({ notifications: 'late' }),
  toldBadly({ notifications: 'out_of_order' }),
  toldBadly({ hash: 'SHA1' }),
  toldBadly({ tell_account: true }),
  toldBadly({ notifications: 'wrong_amount' }, held('over', '999999.99')),
  notBelieved('forged'),
  notBelieved('foreign_key'),
  {
    name: 'has not paid where another merchant of Trustly’s was paid under the same MessageID',
    async play(visit) {
      await visit.submit();
      const { reference } = await visit.names();
      assert.equal(await creditOf(visit, { orderId: '4711', messageId: reference }), 404);
    },
    ends: open('acting'),
  },
  paysOtherwise('pay_less', held('short', '9.50')),
  paysOtherwise('pay_more', held('over', '11.50')),
  paysOtherwise('pay_twice', PAID_TWICE),
  {
    name: 'does nothing, so it is over when Trustly has closed their page',
    async play(visit) {
      await visit.submit();
      await visit.ageBeyondValidity();
      await visit.untilAsked('acting');
      await visit.act('cancel');
      await visit.untilExpired();
    },
    ends: failed('expired', 'refused cancelled_by_payer'),
  },
  {
    name: 'pays after Trustly had given them up, and their time was over',
    async play(visit) {
      await visit.submit();
      await visit.act('cancel');
      await visit.until('refused');
      await visit.ageBeyondValidity();
      await visit.untilExpired();
      const { reference, providerReference } = await visit.names();
      assert.equal(await creditOf(visit, { orderId: providerReference, messageId: reference }), 200);
    },
    // Trustly's book knows nothing of it.
    ends: { ...heldLate('expired'), charges: 0 },
  },
];

const VOPAY: Cases = [
  TOLD_TWENTY_TIMES,
  toldBadly({ notifications: 'twice' }),
  toldBadly({ notifications: 'late' }),
  toldBadly({ notifications: 'out_of_order' }),
  toldBadly({ wording: 'events' }),
  // VoPay is asked, so what is told decides nothing.
  toldBadly({ notifications: 'wrong_amount' }),
  toldBadly({ notifications: 'forged' }),
  toldBadly({ notifications: 'foreign_reference' }),
  toldBadly({ notifications: 'off' }),
  {
    name: 'has not paid, whatever somebody writes under the key of one webhook, or under none',
    async play(visit) {
      await visit.submit();
      const { reference, providerReference } = await visit.names();
      const id = Number(providerReference);
      const said = { Status: 'successful', ClientReferenceNumber: reference, TransactionAmount: '10.50' };
      const from = visit.tapped.told.length;
      await visit.provider.control('made-up-webhook', { id, Success: true, ...said });
      await until('it is told', () =>
        visit.tapped.told.slice(from).some(({ body, status }) => body.includes('"successful"') && status === 200),
      );
      const wrongKey = (body: string) =>
        body.replace(/"ValidationKey":"[0-9a-f]+"/, `"ValidationKey":"${'0'.repeat(40)}"`);
      assert.equal(await tellChanged(visit, wrongKey), 401);
    },
    ends: open('acting'),
  },
  paysOtherwise('accept_less', held('short', '9.50')),
  paysOtherwise('accept_more', held('over', '11.50')),
  NOBODY_ACTS,
  {
    name: 'pays at the very moment at which their time ends',
    async play(visit) {
      await visit.submit();
      await visit.under({ cancellations: 'paid_first' }, async () => {
        await visit.ageBeyondValidity();
        await visit.until('paid');
      });
    },
    ends: PAID,
  },
  {
    name: 'pays after their time, where VoPay did not call the request back',
    async play(visit) {
      await visit.submit();
      await visit.under({ cancellations: 'refuse' }, async () => {
        await visit.ageBeyondValidity();
        await visit.untilAsked('acting');
        await visit.act();
        await visit.until('paid');
      });
    },
    ends: PAID,
  },
];

describeRails('a payer', () => stage, { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY });
