/** Payers who pay by Pix. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { payPixCode } from './bank-acts.ts';
import { letTimePass } from './time.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('instant_bank');
});
after(() => stage.verifyAndClose());

const CPF = '52998224725';
const ANOTHER = '11144477735';
const named = { currency: 'BRL', country: 'BR', cpf: CPF, first_name: 'Ana', last_name: 'Souza' };

async function askForCode(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.choose.types.instant_bank.name);
  await payer.press('pay');
  await payer.at((texts) => texts.code.title);
}

async function seeItPaid(payer: WalkPayer): Promise<void> {
  await payer.becomes((texts) => texts.ended.paid);
  await payer.goBack();
}

const WALKS: readonly Walk[] = [
  {
    name: 'a phone shows the Pix code before its picture, and the page shows the payment made in the bank’s app',
    plain: true,
    request: named,
    async act(payer) {
      await askForCode(payer);
      const top = async (selector: string) => (await payer.page.locator(selector).boundingBox())?.y ?? 0;
      assert.equal((await top('#code_text')) < (await top('.qr')), payer.way.size === 'phone');
      assert.equal(await payPixCode(payer), 'Paid');
      await seeItPaid(payer);
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer types their name for a Pix',
    request: { ...named, first_name: undefined, last_name: undefined },
    async act(payer) {
      await payer.at((texts) => texts.details.title);
      await payer.type({ first_name: 'Ana', last_name: 'Souza' });
      await payer.press('pay');
      await payer.at((texts) => texts.code.title);
      assert.equal(await payPixCode(payer), 'Paid');
      await seeItPaid(payer);
    },
    ends: PAID('paid'),
  },
  {
    name: 'a Pix from another person is held, and the page shows only that it is being checked',
    covered: true,
    request: named,
    async act(payer) {
      await askForCode(payer);
      assert.equal(await payPixCode(payer, { cpf: ANOTHER }), 'Paid');
      await payer.at((texts) => texts.waiting.confirmation.title);
    },
    ends: { state: 'pending paid', at: 'page', callback: null, charges: 1 },
  },
  {
    name: 'a payer who cancels before the payment can no longer pay the Pix code',
    plain: true,
    request: named,
    async act(payer) {
      await askForCode(payer);
      const code = await payer.page.locator('#code_text').inputValue();
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      assert.equal(await payPixCode(payer, { code }), 'Not paid');
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'an unpaid Pix ends with the payer’s time, and its code can no longer be paid',
    plain: true,
    request: named,
    async act(payer) {
      await askForCode(payer);
      const code = await payer.page.locator('#code_text').inputValue();
      await letTimePass(payer);
      await payer.becomes((texts) => texts.ended.expired);
      assert.equal(await payPixCode(payer, { code }), 'Not paid');
      await payer.goBack();
    },
    ends: FAILED('expired refused'),
  },
  {
    name: 'a wrong CPF in the shop’s link is reported first, with the way back to the shop',
    request: { ...named, cpf: '52998224724' },
    async act(payer) {
      await payer.at((texts) => texts.invalidRequest.title);
      const shop = stage.shop.profile(payer.merchant.id).siteUrl ?? '';
      assert.equal(await payer.page.locator('.footer a').getAttribute('href'), shop);
    },
    ends: { state: '', at: 'page', callback: null, charges: 0 },
  },
];

describeWalks('instant bank payments', () => stage, WALKS);
