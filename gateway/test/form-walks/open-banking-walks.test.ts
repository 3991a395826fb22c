import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../support/until.ts';
import { decideAtBank, logInAtBank } from './bank-acts.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import { createWalkPayer, type WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('open_banking');
  await until('the banks are listed', async () => {
    const answer = await fetch(`${stage.gateway.url}/api/v2/open-banking/banks`);
    return answer.ok && ((await answer.json()) as { banks: unknown[] }).banks.length > 0;
  });
});
after(() => stage.verifyAndClose());

const request = {
  payment_type: 'open_banking',
  country: 'FI',
  first_name: 'Aino',
  last_name: 'Koski',
  email: 'a@b.fi',
};
const NORDLYS = { ...request, bank_id: 'nordlys' };
const meets = ['open_banking'] as const;

/** To the bank whose name the page shows, by its link or, where the page was faster, by itself. */
async function goToBank(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.leave.titleAt('Nordlys Bank'));
  const atBank = payer.page.waitForURL(/\/authorize\?/);
  const link = payer.page.locator('main a[data-go]');
  await Promise.any([atBank, link.click().then(() => atBank)]);
}

async function confirmNordlys(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.choose.types.open_banking.name);
  await payer.press('pay');
  await goToBank(payer);
}

const WALKS: readonly Walk[] = [
  {
    name: 'a bank that is chosen in the list is agreed with',
    plain: true,
    request,
    meets,
    async act(payer) {
      await payer.at((texts) => texts.bank.title);
      await payer.page.locator('#bank_search').fill('nordlys');
      if (!payer.way.hasScript) await payer.page.keyboard.press('Enter');
      await payer.page.locator('button[value="nordlys"]').click();
      await goToBank(payer);
      await decideAtBank(payer, 'Agree and pay');
      await payer.backInShop();
    },
    ends: PAID('paid'),
  },
  {
    name: 'the bank of the shop’s link needs no choice',
    plain: true,
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Agree and pay');
      await payer.backInShop();
    },
    ends: PAID('paid'),
  },
  {
    name: 'an unknown bank of the shop’s link opens the list',
    request: { ...request, bank_id: 'nobody-knows' },
    async act(payer) {
      await payer.at((texts) => texts.bank.title);
      assert.ok((await payer.page.locator('[data-banks] li').count()) > 3);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: { state: '', at: 'failed', told: null, charges: 0 },
  },
  {
    name: 'a payment that the payer rejects at the bank',
    plain: true,
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Reject the payment');
      await payer.at((texts) => texts.refused.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'wrong credentials three times end at the bank',
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      for (const before of ['Log in to Nordlys Bank', '(1 of 3)', '(2 of 3)']) {
        await payer.page.getByText(before).waitFor();
        await logInAtBank(payer.page, 'wrong');
      }
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', told: null, charges: 0 },
  },
  {
    name: 'who leaves the bank without deciding may still decide',
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await payer.page.getByRole('button', { name: 'Leave without deciding' }).click();
      await payer.page.getByRole('link', { name: 'Back to the shop' }).click();
      await goToBank(payer);
      await decideAtBank(payer, 'Agree and pay');
      await payer.backInShop();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a bank that has not enough money',
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Agree, with too little money');
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', told: null, charges: 0 },
  },
  {
    name: 'a bank that never tells a final status leaves it open',
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Agree, but no final status is ever told');
      await payer.at((texts) => texts.waiting.bank.title);
    },
    ends: { state: 'pending deciding', at: 'page', told: null, charges: 0 },
  },
];

describeWalks('open banking', () => stage, WALKS);

describe('the list of banks', () => {
  it('is under 50 KB with all that its page needs, over the wire', async () => {
    const payer = await createWalkPayer(stage, 'the list', { language: 'kk', size: 'phone', hasScript: true });
    const sizes: Promise<number>[] = [];
    payer.page.on('response', (response) => {
      const size = response.request().sizes();
      sizes.push(size.then(({ responseBodySize }) => responseBodySize));
    });
    await payer.open(request);
    await payer.page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 20_000 && bytes < 50_000, `${bytes} bytes`);
    await payer.context.close();
  });
});
