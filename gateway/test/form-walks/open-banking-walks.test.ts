/** Payers who pay by open banking (Token.io), and the size of the bank list. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { english } from '../../src/protocol/form/languages/english.ts';
import { kazakh } from '../../src/protocol/form/languages/kazakh.ts';
import { until } from '../support/tools/until.ts';
import { decideAtBank, logInAtBank } from './bank-acts.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import { createWalkPayer, type WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('open_banking');
  await until('the bank list has entries', async () => {
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

/** Opens the bank that the page names. The page also redirects there, perhaps before the payer presses the button. */
async function goToBank(payer: WalkPayer, name = 'Nordlys Bank'): Promise<void> {
  await payer.at((texts) => texts.leave.titleAt(name));
  const link = payer.page.locator('main a[data-bank]');
  await link.click({ timeout: 5_000, noWaitAfter: true }).catch(() => undefined);
  await until('the bank’s page', () => /\/authorize\?/.test(payer.page.url()));
  await payer.page.waitForLoadState();
}

async function chooseBank(payer: WalkPayer, bankId: string): Promise<void> {
  await payer.at((texts) => texts.bank.title);
  await payer.page.locator(`button[value="${bankId}"]`).click();
}

async function confirmNordlys(payer: WalkPayer): Promise<void> {
  await payer.at((texts) => texts.choose.types.open_banking.name);
  await payer.press('pay');
  await goToBank(payer);
}

const WALKS: readonly Walk[] = [
  {
    name: 'a payer finds a bank by its name in a different alphabet, and pays there',
    plain: true,
    request,
    meets,
    async act(payer) {
      await payer.at((texts) => texts.bank.title);
      await payer.page.locator('#bank_search').fill('НОРДЛИС');
      if (!payer.way.hasScript) await payer.page.keyboard.press('Enter');
      await payer.page.locator('button[value="nordlys"]').click();
      await goToBank(payer);
      await decideAtBank(payer, 'Agree and pay');
      await payer.backInShop();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer whose link contains a bank does not have to choose one',
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
    name: 'a payer who chose a wrong bank leaves it for another one, even after its refusal',
    plain: true,
    request: NORDLYS,
    meets,
    async act(payer) {
      await payer.at((texts) => texts.choose.types.open_banking.name);
      await payer.press('another_bank');
      await chooseBank(payer, 'nordlys-business');
      await goToBank(payer, 'Nordlys Bank Business');
      await payer.page.goBack();
      await payer.at((texts) => texts.leave.titleAt('Nordlys Bank Business'));
      await payer.press('another_bank');
      await chooseBank(payer, 'nordlys');
      await goToBank(payer);
      await decideAtBank(payer, 'Reject the payment');
      await payer.at((texts) => texts.refused.title);
      await payer.press('another_bank');
      await chooseBank(payer, 'nordlys');
      await goToBank(payer);
      await decideAtBank(payer, 'Agree and pay');
      await payer.backInShop();
    },
    ends: PAID('refused refused paid'),
  },
  {
    name: 'a payer who changes the language keeps what they typed into the bank search',
    covered: true,
    plain: true,
    request,
    async act(payer) {
      const { page, way } = payer;
      const [other, texts] = way.language === 'kk' ? (['en', english] as const) : (['kk', kazakh] as const);
      await payer.at((own) => own.bank.title);
      await page.locator('#bank_search').fill('nordlys bus');
      await page.locator('nav.languages summary').click();
      await page.locator(`nav button[lang="${other}"]`).click();
      await page.getByRole('heading', { level: 1, name: texts.bank.title, exact: true }).waitFor();
      assert.equal(await page.locator('#bank_search').inputValue(), 'nordlys bus');
      assert.equal(await page.locator('[data-banks] li:visible').count(), 1);
    },
    ends: { state: '', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'an unknown bank in the shop’s link opens the list',
    covered: true,
    request: { ...request, bank_id: 'nobody-knows' },
    async act(payer) {
      await payer.at((texts) => texts.bank.title);
      assert.ok((await payer.page.locator('[data-banks] li').count()) > 3);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.press('continue_paying');
      await payer.at((texts) => texts.bank.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: { state: '', at: 'failed', callback: null, charges: 0 },
  },
  {
    name: 'a payer rejects the payment at the bank',
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
    name: 'the bank refuses the attempt after three wrong logins',
    covered: true,
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
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'a payer who leaves the bank without a decision may still decide',
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
    name: 'the bank refuses the attempt when the account lacks funds',
    covered: true,
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Agree, with too little money');
      await payer.at((texts) => texts.refused.title);
    },
    ends: { state: 'pending refused', at: 'page', callback: null, charges: 0 },
  },
  {
    name: 'an attempt without a final status stays open',
    covered: true,
    request: NORDLYS,
    meets,
    async act(payer) {
      await confirmNordlys(payer);
      await decideAtBank(payer, 'Agree, but no final status is ever reported');
      await payer.at((texts) => texts.waiting.bank.title);
    },
    ends: { state: 'pending deciding', at: 'page', callback: null, charges: 0 },
  },
];

describeWalks('open banking', () => stage, WALKS);

describe('the bank list of the form', () => {
  it('the page with the bank list is at most 20 kB over the wire', async () => {
    const payer = await createWalkPayer(stage, { language: 'kk', size: 'phone', hasScript: true });
    const sizes: Promise<number>[] = [];
    payer.page.on('response', (response) => {
      const size = response.request().sizes();
      sizes.push(size.then(({ responseBodySize }) => responseBodySize));
    });
    await payer.open(request);
    await payer.page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 5_000 && bytes <= 20_000, `${bytes} bytes`);
    const footer = await payer.page.locator('footer').boundingBox();
    assert.ok((footer?.y ?? Infinity) < 1_000, `the ways out begin at ${footer?.y} px`);
    await payer.context.close();
  });
});
