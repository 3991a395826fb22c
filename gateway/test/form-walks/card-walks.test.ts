import { after, before } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { RIGHT_CODE } from '../../../rail-simulators/src/adyen/three-d-secure.ts';
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
const NO_MONEY = cardRefusedFor('12');

const WALKS: readonly Walk[] = [
  {
    name: 'a card that the bank takes at once is paid',
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
    name: 'a card whose bank looks at the device is paid',
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
    name: 'a fingerprint and then a challenge are paid',
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
    name: 'a challenge that is failed can be followed by another card',
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
    name: 'a challenge that is cancelled at the bank, and then the payment',
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
    name: 'a challenge that is abandoned stays open, and can be given up',
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
    name: 'a card without money is refused, and tried again with another',
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
    name: 'the last try that is allowed ends the payment',
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
    name: 'an answer that is lost is asked for again, and paid once',
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
    name: 'a payment that is never answered is known by what Adyen tells',
    slow: true,
    request,
    async act(payer) {
      payer.context.setDefaultTimeout(70_000);
      await payByCard(payer, madeUpCard('1', '01'));
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a bank that takes its time is waited for',
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
    name: 'a bank that takes its time and then refuses leaves another try',
    request,
    async act(payer) {
      await payByCard(payer, madeUpCard('1', '04'));
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', told: null, charges: 0 },
  },
  {
    name: 'who waits on the page of the result is taken back to the shop',
    request,
    async act(payer) {
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
    },
    ends: PAID('paid'),
  },
];

describeWalks('a card payment', () => stage, WALKS);
