/** Payers who pay by bank transfer in an embedded frame (Trustly). */
import { after, before } from 'node:test';
import { payInTrustlyFrame } from './bank-acts.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('bank_transfer_iframe');
});
after(() => stage.verifyAndClose());

const request = {
  payment_type: 'bank_transfer_iframe',
  country: 'FI',
  first_name: 'Aino',
  last_name: 'Koski',
  email: 'aino@example.com',
};

async function openBank(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.choose.types.bank_transfer_iframe.name);
  await payer.press('pay');
  await payer.at((texts) => texts.frame.title);
}

const meets = ['bank_transfer_iframe'] as const;

const WALKS: readonly Walk[] = [
  {
    name: 'a bank in the frame pays immediately',
    request,
    meets,
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Nordbank', 'agree');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a bank in the frame pays later',
    covered: true,
    request,
    meets,
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Slow Bank', 'agree');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer whose bank has agreed may return before the money arrives',
    request,
    meets,
    // No notification reports the money during the walk, however long it takes.
    faults: { notifications: 'credits_off' },
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Slow Bank', 'agree');
      await payer.at((texts) => texts.waiting.settlement.title);
      await payer.backInShop();
    },
    ends: { state: 'pending deciding', at: 'paid', result: 'success', callback: null, charges: 1 },
  },
  {
    name: 'a payer who cancels in the frame is not charged',
    request,
    meets,
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Nordbank', 'cancel');
      await payer.at((texts) => texts.refused.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'a bank in the frame agrees and never pays',
    covered: true,
    request,
    meets,
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Empty Bank', 'agree');
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'a payment that the bank reverses later stays paid for the payer',
    covered: true,
    request,
    meets,
    async act(payer) {
      await openBank(payer);
      await payInTrustlyFrame(payer, 'Return Bank', 'agree');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
];

describeWalks('bank transfers in a frame', () => stage, WALKS);
