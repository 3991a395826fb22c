/**
 * Provider notifications for every payment type of the hosted form: twenty concurrent copies, late, out of order, missing or
 * forged. A notification never confirms a payment that was not made.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { identifierOf } from '../../../src/rails/pix/reference.ts';
import { type FormVisit, open, PAID } from '../../support/form-providers/form-visit.ts';
import {
  describeRails,
  inFullRun,
  type ProviderCase,
  type RailCases,
} from '../../support/form-providers/provider-cases.ts';
import { notifyCredit, PENDING_REFUSED_CARD, pay } from '../../support/form-providers/provider-endings.ts';
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

const TWENTY = 20;

const NOTIFIED_TWENTY_TIMES: ProviderCase = {
  name: 'a payment is credited once when each notification arrives twenty times concurrently and twenty times later',
  async play(visit) {
    visit.tapped.times = TWENTY;
    try {
      const from = visit.tapped.received.length;
      await pay(visit);
      await visit.until('paid');
      const sent = await until(
        'the notifications arrived',
        () => visit.tapped.received.length > from && visit.tapped.received.slice(from),
      );
      for (const each of sent) await Promise.all(Array.from({ length: TWENTY }, () => visit.tapped.send(each)));
    } finally {
      visit.tapped.times = 1;
    }
  },
  ends: PAID,
};

const notifiedBadly = (faults: Faults): ProviderCase => ({
  name: `a payment succeeds when notifications behave like ${JSON.stringify(faults)}`,
  async play(visit) {
    await visit.under(faults, async () => {
      await pay(visit);
      await visit.until('paid');
    });
  },
  ends: PAID,
});

/** Resends the latest notification with a changed body. */
async function notifyChanged(visit: FormVisit, change: (body: string) => string): Promise<number> {
  const last = visit.tapped.received.at(-1);
  assert.ok(last, 'no notification has arrived yet');
  const body = change(last.body);
  assert.notEqual(body, last.body);
  return visit.tapped.send({ ...last, body });
}

const notBelieved = (notifications: string): ProviderCase => ({
  name: `a payment is not credited by a notification that Trustly did not provably send (${notifications})`,
  async play(visit) {
    await visit.submit();
    const from = visit.tapped.received.length;
    await visit.under({ notifications }, async () => {
      await visit.act();
      const sent = await until(
        'Trustly notifies',
        () => visit.tapped.received.length > from && visit.tapped.received.slice(from),
      );
      assert.ok(sent.every(({ status }) => status === 401));
      assert.deepEqual(await visit.standing(), { ...open('acting'), charges: 1 });
    });
  },
  ends: PAID,
});

const ADYEN: Cases = [
  ...inFullRun(NOTIFIED_TWENTY_TIMES),
  notifiedBadly({ webhooks: 'twice' }),
  ...inFullRun(notifiedBadly({ webhooks: 'late' }), notifiedBadly({ webhooks: 'forged' })),
  {
    name: 'a refused card stays refused after a forged authorisation',
    play: (visit) =>
      visit.under({ webhooks: 'forged' }, async () => {
        await visit.submit(PENDING_REFUSED_CARD);
        await visit.until('refused');
      }),
    ends: open('refused insufficient_funds'),
  },
  {
    name: 'a signed notification is accepted, and changed copies of it get 401',
    async play(visit) {
      await pay(visit);
      await visit.until('paid');
      const { reference } = await visit.names();
      await until('the notification arrived', () => visit.tapped.received.some(({ body }) => body.includes(reference)));
      assert.equal(await notifyChanged(visit, (body) => body.replace('"value":1050', '"value":105000')), 401);
      assert.equal(await notifyChanged(visit, (body) => body.replace('AUTHORISATION', 'CHARGEBACK')), 401);
    },
    ends: PAID,
  },
  {
    name: 'a payment is recorded before its chargeback, whichever notification arrives first',
    async play(visit) {
      const letGo = visit.tapped.holdBack((body) => body.includes('"AUTHORISATION"'));
      await pay(visit);
      const { reference } = await visit.names();
      await until('it is authorised', async () => (await visit.provider.charges(await visit.names())) === 1);
      await visit.provider.control('charge-back', { reference });
      await until('the chargeback’s notification is rejected for now', () =>
        visit.tapped.received.some(({ body, status }) => body.includes('"CHARGEBACK"') && status >= 400),
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
];

const PIX: Cases = [
  NOTIFIED_TWENTY_TIMES,
  ...inFullRun(
    notifiedBadly({ notifications: 'twice' }),
    notifiedBadly({ notifications: 'late' }),
    notifiedBadly({ notifications: 'batched' }),
  ),
  // The gateway queries the bank, so the amount in the notification has no effect.
  notifiedBadly({ notifications: 'wrong_amount' }),
  {
    name: 'a callback of another client of the bank pays nothing',
    async play(visit) {
      await visit.submit();
      const { reference } = await visit.names();
      const txid = identifierOf(reference);
      const from = visit.tapped.received.length;
      const pix = {
        endToEndId: 'E9999900420261120120000000000001',
        txid,
        valor: '10.50',
        horario: '2026-11-20T12:00:00Z',
      };
      await visit.provider.control('made-up-callback', { ...pix, chave: 'loja@example.com' });
      await until('the callback arrived', () => visit.tapped.received.length > from);
      assert.equal(visit.tapped.received.at(-1)?.status, 200, 'the gateway asked the bank');
    },
    ends: open('acting'),
  },
];

const TOKEN_IO: Cases = [
  ...inFullRun(NOTIFIED_TWENTY_TIMES),
  // The gateway also queries Token.io, and so receives the true state.
  notifiedBadly({ webhooks: 'forged' }),
  ...inFullRun(
    ...['twice', 'late', 'out_of_order', 'foreign_key', 'foreign_member'].map((webhooks) =>
      notifiedBadly({ webhooks }),
    ),
  ),
  {
    name: 'a copied notification of another payment pays nothing',
    async play(visit) {
      const other = await stage.visit('token-io');
      await pay(other);
      await other.ends(PAID);
      const { reference } = await other.names();
      const sent = await until('the notification arrived', () =>
        visit.tapped.received.findLast(({ body }) => body.includes(reference) && body.includes('SETTLEMENT_COMPLETED')),
      );
      await visit.submit();
      const names = await visit.names();
      const statuses = [
        await visit.tapped.send({ ...sent, body: sent.body.replaceAll(reference, names.reference) }),
        await visit.tapped.send({ ...sent, headers: { ...sent.headers, 'token-signature': '' } }),
        await visit.tapped.send(sent),
      ];
      assert.deepEqual(statuses, [401, 401, 200]);
    },
    ends: open('acting'),
  },
];

const TRUSTLY: Cases = [
  NOTIFIED_TWENTY_TIMES,
  notifiedBadly({ notifications: 'out_of_order' }),
  notBelieved('forged'),
  ...inFullRun(
    notifiedBadly({ notifications: 'twice' }),
    notifiedBadly({ notifications: 'late' }),
    notifiedBadly({ hash: 'SHA1' }),
    notifiedBadly({ include_account: true }),
    notBelieved('foreign_key'),
  ),
  {
    name: 'a payment is not credited when another merchant of Trustly was paid under the same MessageID',
    async play(visit) {
      await visit.submit();
      const { reference } = await visit.names();
      assert.equal(await notifyCredit(visit, stage.providers.trustly, { orderId: '4711', messageId: reference }), 404);
    },
    ends: open('acting'),
  },
];

const VOPAY: Cases = [
  ...inFullRun(NOTIFIED_TWENTY_TIMES),
  notifiedBadly({ notifications: 'late' }),
  notifiedBadly({ notifications: 'off' }),
  ...inFullRun(
    notifiedBadly({ wording: 'events' }),
    // The gateway queries VoPay, so the content of the notification has no effect.
    ...['twice', 'out_of_order', 'wrong_amount', 'forged', 'foreign_reference'].map((notifications) =>
      notifiedBadly({ notifications }),
    ),
  ),
  {
    name: 'a forged webhook pays nothing, with a copied validation key or with a wrong one',
    async play(visit) {
      await visit.submit();
      const { reference, providerReference } = await visit.names();
      const id = Number(providerReference);
      const said = { Status: 'successful', ClientReferenceNumber: reference, TransactionAmount: '10.50' };
      const from = visit.tapped.received.length;
      await visit.provider.control('made-up-webhook', { id, Success: true, ...said });
      await until('the webhook arrived', () =>
        visit.tapped.received.slice(from).some(({ body, status }) => body.includes('"successful"') && status === 200),
      );
      const wrongKey = (body: string) =>
        body.replace(/"ValidationKey":"[0-9a-f]+"/, `"ValidationKey":"${'0'.repeat(40)}"`);
      assert.equal(await notifyChanged(visit, wrongKey), 401);
    },
    ends: open('acting'),
  },
];

describeRails('a payer', () => stage, { adyen: ADYEN, pix: PIX, 'token-io': TOKEN_IO, trustly: TRUSTLY, vopay: VOPAY });
