/**
 * Amounts and payers that differ from the request, for every payment type of the hosted form: shortfall, overpayment,
 * duplicate payment, other payer, late payment and no payment. The merchant receives the money due to it, and the rest is
 * held.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { CARDS } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { failed, PAID, type Standing } from '../../support/form-providers/form-visit.ts';
import { describeRails, type ProviderCase, type RailCases } from '../../support/form-providers/provider-cases.ts';
import { held, heldLate, notifyCredit, PAID_TWICE, pay } from '../../support/form-providers/provider-endings.ts';
import { openProviderStage, type ProviderStage } from '../../support/form-providers/provider-stage.ts';
import type { RailName } from '../../support/form-providers/providers.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

type Cases = RailCases[RailName];

const paysOtherwise = (behaviour: string, ends: Standing, settings: ProviderCase['settings'] = {}): ProviderCase => ({
  name: `a payment with the behaviour "${behaviour}" ends as documented ${Object.entries(settings).join(' ').replaceAll(',', ' = ')}`.trim(),
  settings,
  play: (visit) => pay(visit, behaviour),
  ends,
});

/** The provider signs a notification with a wrong amount. */
const notifiedOfTooMuch = (faults: Readonly<Record<string, unknown>>): ProviderCase => ({
  name: 'an overpayment that the provider signs is held',
  play: (visit) =>
    visit.under(faults, async () => {
      await pay(visit);
      await visit.until('paid');
    }),
  ends: held('over', '999999.99'),
});

/** The payer leaves the page, and the deposit expires. */
const NOBODY_ACTS: ProviderCase = {
  name: 'a deposit expires when its payer does nothing',
  async play(visit) {
    await visit.submit();
    await visit.until('acting');
    await visit.ageBeyondValidity();
    await visit.untilExpired();
  },
  ends: failed('expired', 'refused expired'),
};

const ADYEN: Cases = [
  notifiedOfTooMuch({ webhooks: 'wrong_amount' }),
  {
    name: 'a payment counts as in time when Adyen decides after the expiry',
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
    name: 'a payer who cancels at the challenge is not charged by a later answer to it',
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
  paysOtherwise('short', held('short', '9.50')),
  paysOtherwise('over', held('over', '11.50')),
  paysOtherwise(
    'short',
    { ...PAID, money: ['credited short 9.50'], callbacks: ['success 9.50 9.00'], available: '9.00' },
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
    name: 'a payment after the expiry is held when the charge was already removed',
    async play(visit) {
      await visit.submit();
      await visit.ageBeyondValidity();
      await visit.untilExpired();
      await visit.act('in_flight');
    },
    ends: heldLate('expired'),
  },
  {
    name: 'a Pix payment at the moment of the expiry is credited',
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
    name: 'a payment after the payer cancelled is held',
    async play(visit) {
      await visit.submit();
      await visit.press('cancel');
      await visit.act('in_flight');
    },
    ends: heldLate('cancelled'),
  },
];

const TOKEN_IO: Cases = [
  // Here the gateway cancels the payment at the provider.
  { ...NOBODY_ACTS, ends: failed('expired', 'refused cancelled_by_payer') },
  {
    name: 'a payer who agreed in time is credited when the money arrives after the expiry',
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

const TRUSTLY: Cases = [
  notifiedOfTooMuch({ notifications: 'wrong_amount' }),
  paysOtherwise('pay_less', held('short', '9.50')),
  paysOtherwise('pay_more', held('over', '11.50')),
  paysOtherwise('pay_twice', PAID_TWICE),
  {
    name: 'a deposit expires once Trustly has closed the page of an idle payer',
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
    name: 'a payment after Trustly cancelled and the deposit expired is held',
    async play(visit) {
      await visit.submit();
      await visit.act('cancel');
      await visit.until('refused');
      await visit.ageBeyondValidity();
      await visit.untilExpired();
      const { reference, providerReference } = await visit.names();
      assert.equal(
        await notifyCredit(visit, stage.providers.trustly, { orderId: providerReference, messageId: reference }),
        200,
      );
    },
    // Trustly's book has no entry for this payment.
    ends: { ...heldLate('expired'), charges: 0 },
  },
];

const VOPAY: Cases = [
  paysOtherwise('accept_less', held('short', '9.50')),
  paysOtherwise('accept_more', held('over', '11.50')),
  NOBODY_ACTS,
  {
    name: 'an Interac payment at the moment of the expiry is credited',
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
    name: 'a payment after the expiry is credited when VoPay does not cancel the request',
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
