/** Payers who pay by card (Adyen). */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { RIGHT_CODE } from '../../../rail-simulators/src/adyen/three-d-secure.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import { answerChallenge, payByCard, withFaults } from './bank-acts.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('card');
});
after(() => stage.verifyAndClose());

const request = { currency: 'UAH', country: 'UA', email: 'joana@example.com' };
const AT_ONCE = '4917610000000000';
const FINGERPRINT = '5201281505129736';
const CHALLENGE = '5454545454545454';
const BOTH = '4212345678910006';
const AMEX = '378282246310005';
const NO_MONEY = cardRefusedFor('12');

const WALKS: readonly Walk[] = [
  {
    name: 'a card of a brand that the shop does not accept is rejected at its field, and a different card is paid',
    plain: true,
    request,
    async act(payer) {
      const { page, way } = payer;
      const error = page.locator('#card_number-error');
      if (way.hasScript) {
        await page.locator('#card_number').fill(AMEX);
        await page.locator('#card_expiry').focus();
      } else await payByCard(payer, AMEX, { card_cvv: '7373' });
      await error.waitFor();
      assert.equal((await error.textContent())?.trim(), catalogueOf(way.language).errors.not_accepted);
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a card that the bank accepts immediately is paid',
    plain: true,
    request,
    async act(payer) {
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a card with a device fingerprint step is paid',
    covered: true,
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, FINGERPRINT);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a challenge that is passed after a wrong code is paid',
    plain: true,
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await answerChallenge(payer, '000000', RIGHT_CODE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a fingerprint step followed by a challenge is paid',
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, BOTH);
      await answerChallenge(payer, RIGHT_CODE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer pays with another card after a failed challenge',
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await answerChallenge(payer, '000000', '000000', '000000');
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'a payer cancels a challenge at the bank, and then the payment',
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await answerChallenge(payer, 'cancel');
      await payer.at((texts) => texts.refused.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'an unanswered challenge stays open, and the payer can cancel it',
    covered: true,
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await payer.at((texts) => texts.challenge.title);
      await payer.page.reload();
      await payer.at((texts) => texts.challenge.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'a payer pays with a second card after the first one lacked funds',
    covered: true,
    plain: true,
    request,
    async act(payer) {
      await payByCard(payer, NO_MONEY);
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'the last permitted attempt ends the payment',
    request,
    settings: { form_attempts: '2' },
    async act(payer) {
      await payByCard(payer, NO_MONEY);
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await payByCard(payer, cardRefusedFor('2'));
      await payer.at((texts) => texts.refused.title);
      await payer.goBack();
    },
    ends: FAILED('declined refused refused'),
  },
  {
    name: 'a lost answer is requested again, and the card is charged once',
    covered: true,
    isAlone: true,
    request,
    async act(payer) {
      await withFaults(payer, 'card', { answer_500_after: 1 }, async () => {
        await payByCard(payer, AT_ONCE);
        await payer.at((texts) => texts.ended.paid);
      });
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payment without an answer succeeds by Adyen’s notification',
    slow: true,
    request,
    async act(payer) {
      await payByCard(payer, madeUpCard('1', '01'));
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'the waiting page shows the result once a slow bank accepts',
    plain: true,
    request,
    async act(payer) {
      await payByCard(payer, madeUpCard('1', '03'));
      await payer.becomes((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer may retry when a slow bank declines',
    covered: true,
    request,
    async act(payer) {
      await payByCard(payer, madeUpCard('1', '04'));
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'a payer who waits on the result page returns to the shop',
    request,
    async act(payer) {
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
    },
    ends: PAID('paid'),
  },
];

describeWalks('card payments', () => stage, WALKS);
