/**
 * Payers who pay with Apple Pay and Google Pay (Adyen). Only the browser's wallet is a stand-in, which returns the simulator's
 * token. The page, its CSP, the gateway and the provider are real.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import { cardRefusedFor } from '../../../rail-simulators/src/adyen/cards.ts';
import { simulatedToken } from '../../../rail-simulators/src/adyen/wallets.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import { payByCard } from './bank-acts.ts';
import { describeWalks, PAID } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStageWith, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStageWith(
    {
      ADYEN_APPLE_PAY_MERCHANT_ID: 'merchant.com.example',
      ADYEN_APPLE_PAY_COUNTRY: 'NL',
      ADYEN_GOOGLE_PAY_MERCHANT_ID: 'BCR2DN4TEST',
    },
    'card',
  );
});
after(() => stage.verifyAndClose());

const request = { currency: 'UAH', country: 'UA', email: undefined };
const CARD = '4111111111111111';

/** Emulates Google Pay in Chrome. It returns `token`. */
function hasGooglePay(token: string): string {
  return `window.PaymentRequest = class {
    constructor([{ supportedMethods, data }], { total }) {
      if (supportedMethods !== 'https://google.com/pay' || data.allowedPaymentMethods[0].tokenizationSpecification.parameters.gateway !== 'adyen') throw new Error('not Google Pay');
      this.total = total;
    }
    canMakePayment() { return Promise.resolve(true); }
    async show() {
      return {
        details: { paymentMethodData: { tokenizationData: { token: ${JSON.stringify(token)} } } },
        payerEmail: 'joana@example.com',
        complete: async (outcome) => sheetSays(this.total.amount.value, outcome),
      };
    }
  };`;
}

/** Emulates Apple Pay in Safari, which first requests a session from the page. */
function hasApplePay(token: string): string {
  return `window.PaymentRequest = undefined;
  window.ApplePaySession = class {
    static STATUS_SUCCESS = 'success';
    static STATUS_FAILURE = 'fail';
    static canMakePayments() { return true; }
    constructor(version, { total }) { this.amount = total.amount; }
    begin() { this.onvalidatemerchant({}); }
    abort() { sheetSays('aborted'); }
    completeMerchantValidation({ domainName }) {
      this.host = domainName;
      this.onpaymentauthorized({ payment: { token: { paymentData: ${token} }, shippingContact: { emailAddress: 'joana@example.com' } } });
    }
    completePayment(outcome) { sheetSays(this.amount, outcome, this.host); }
  };`;
}

/** Reopens the page in a browser with the wallet. Returns the content of its payment sheet. */
async function use(wallet: string, { context, page }: WalkPayer): Promise<readonly string[]> {
  const shown: string[] = [];
  await context.exposeFunction('sheetSays', (...texts: string[]) => void shown.push(texts.join(' ')));
  await context.addInitScript(wallet);
  await page.reload();
  return shown;
}

const pressWallet = (page: Page, wallet: 'apple_pay' | 'google_pay') =>
  page.locator(`[data-wallet="${wallet}"]`).click();

describeWalks('payers with a wallet', () => stage, [
  {
    name: 'a payer pays with Google Pay if the browser supports it, and its token pays no second order',
    request,
    async act(payer) {
      const { page, context } = payer;
      const shown = await use(hasGooglePay(simulatedToken('google_pay', CARD, 'google')), payer);
      await page.locator('[data-wallet="google_pay"]').waitFor();
      assert.equal(await page.locator('[data-wallet="apple_pay"]').isVisible(), false);
      await pressWallet(page, 'google_pay');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
      assert.deepEqual(shown, ['12.50 success']);
      const other = await context.newPage();
      await other.goto(payer.link({ ...request, order: 'N18' }));
      await pressWallet(other, 'google_pay');
      await other.locator('body', { hasText: catalogueOf(payer.way.language).problems.out_of_date.title }).waitFor();
      await other.close();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer pays with Apple Pay in a session of the gateway’s own host',
    request,
    async act(payer) {
      const { page } = payer;
      const shown = await use(hasApplePay(simulatedToken('apple_pay', CARD, 'apple')), payer);
      await page.locator('[data-wallet="apple_pay"]').waitFor();
      assert.equal(await page.locator('[data-wallet="google_pay"]').isVisible(), false);
      await pressWallet(page, 'apple_pay');
      await payer.at((texts) => texts.ended.paid);
      await payer.page.locator('dl', { hasText: 'Apple Pay' }).waitFor();
      assert.deepEqual(shown, ['12.50 success 127.0.0.1']);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'the wallet’s sheet and the page show that its card was refused, and a typed card is paid',
    request: { ...request, email: 'joana@example.com' },
    async act(payer) {
      const { page } = payer;
      const shown = await use(hasGooglePay(simulatedToken('google_pay', cardRefusedFor('12'), 'refused')), payer);
      await pressWallet(page, 'google_pay');
      await payer.at((texts) => texts.refused.title);
      assert.deepEqual(shown, ['12.50 fail']);
      await payer.press('try_again');
      await payByCard(payer, CARD);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
]);
