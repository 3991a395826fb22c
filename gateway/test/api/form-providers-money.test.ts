/**
 * Money that is not simply what was asked for, at every payment type of the hosted form: less or more, a second time, by
 * another person, after the payer's time; and payers who never pay. The merchant has what is theirs, and the rest is held.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { CARDS } from '../support/form-providers/adyen.ts';
import { failed, PAID, type Standing } from '../support/form-providers/form-visit.ts';
import { describeRails, type ProviderCase, type RailCases } from '../support/form-providers/provider-cases.ts';
import { held, heldLate, PAID_TWICE, pay, tellCredit } from '../support/form-providers/provider-endings.ts';
import { openProviderStage, type ProviderStage } from '../support/form-providers/provider-stage.ts';
import type { RailName } from '../support/form-providers/providers.ts';

let stage: ProviderStage;
before(async () => {
  stage = await openProviderStage();
});
after(() => stage.verifyAndClose());

type Cases = RailCases[RailName];

const paysOtherwise = (behaviour: string, ends: Standing, settings: ProviderCase['settings'] = {}): ProviderCase => ({
  name: `pays like "${behaviour}" ${Object.entries(settings).join(' ').replaceAll(',', ' = ')}`.trim(),
  settings,
  play: (visit) => pay(visit, behaviour),
  ends,
});

/** The word of a provider who signs it. */
const toldOfTooMuch = (faults: Readonly<Record<string, unknown>>): ProviderCase => ({
  name: 'has paid what the provider signs, though that is too much',
  play: (visit) =>
    visit.under(faults, async () => {
      await pay(visit);
      await visit.until('paid');
    }),
  ends: held('over', '999999.99'),
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

const ADYEN: Cases = [
  toldOfTooMuch({ webhooks: 'wrong_amount' }),
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

const TRUSTLY: Cases = [
  toldOfTooMuch({ notifications: 'wrong_amount' }),
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
      assert.equal(
        await tellCredit(visit, stage.providers.trustly, { orderId: providerReference, messageId: reference }),
        200,
      );
    },
    // Trustly's book knows nothing of it.
    ends: { ...heldLate('expired'), charges: 0 },
  },
];

const VOPAY: Cases = [
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
