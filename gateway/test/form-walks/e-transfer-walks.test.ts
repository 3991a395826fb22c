/** Payers who pay by Interac e-Transfer (VoPay). */
import { after, before } from 'node:test';
import { answerMoneyRequest } from './bank-acts.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('e_transfer');
});
after(() => stage.verifyAndClose());

const request = { currency: 'CAD', country: 'CA', first_name: 'Ann', last_name: 'Lee', phone: '+14165550123' };
const ACCEPT = { bank: 'Maple Bank', button: 'Accept and pay' };

/** Each payer has a different email address, because all share the bank's inbox. */
function emailOf({ merchant }: WalkPayer): string {
  return `ann.${merchant.id.toLowerCase()}@example.ca`;
}

/** The payer enters an email address, and the page tells them to check their inbox. */
async function askForMoney(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.details.title);
  await payer.type({ email: emailOf(payer) });
  await payer.press('pay');
  await payer.at((texts) => texts.bankMessage.title);
}

const WALKS: readonly Walk[] = [
  {
    name: 'a payer accepts a money request',
    plain: true,
    request,
    async act(payer) {
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), ACCEPT);
      await payer.becomes((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer declines a money request and accepts another',
    request,
    async act(payer) {
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), { button: 'Decline' });
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), ACCEPT, 2);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'a payer declines a money request and cancels the payment',
    covered: true,
    plain: true,
    request,
    async act(payer) {
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), { button: 'Decline' });
      await payer.becomes((texts) => texts.refused.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'a money request expires at the payer’s bank',
    covered: true,
    request,
    async act(payer) {
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), { button: 'Let it expire' });
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'the bank refuses a payment from an empty account after the payer accepted',
    covered: true,
    request,
    async act(payer) {
      await askForMoney(payer);
      await answerMoneyRequest(payer, emailOf(payer), { ...ACCEPT, bank: 'Empty Bank' });
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
];

describeWalks('an e-transfer', () => stage, WALKS);
