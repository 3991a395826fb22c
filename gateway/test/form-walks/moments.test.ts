/** Unusual payer behaviour: the back button, two tabs, a double click, a forged return. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { RIGHT_CODE } from '../../../rail-simulators/src/adyen/three-d-secure.ts';
import { HOUR_MS } from '../../src/foundation/clock.ts';
import { kazakh } from '../../src/protocol/form/languages/kazakh.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import { ukrainian } from '../../src/protocol/form/languages/ukrainian.ts';
import { until } from '../support/tools/until.ts';
import { answerChallenge, CARD, payByCard, payInTrustlyFrame, withFaults } from './bank-acts.ts';
import { letTimePass, setTimeLeft } from './time.ts';
import { describeWalks, FAILED, PAID, type Walk } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('card', 'bank_transfer_iframe');
});
after(() => stage.verifyAndClose());

const AT_ONCE = '4917610000000000';
const CHALLENGE = '5454545454545454';
const named = { country: 'FI', first_name: 'Aino', last_name: 'Koski', email: 'aino@example.com' };
const request = { ...named, payment_type: 'card' };

/** A message that the form posted to the embedding page, with its origin. */
interface Heard {
  readonly origin: string;
  readonly type: string;
  readonly height?: number;
  readonly result?: string;
}

async function typeCard(payer: WalkPayer, number: string): Promise<void> {
  await payer.at((texts) => texts.card.title);
  await payer.type({ card_number: number, ...CARD });
}

/** The bank decides about a pending card only after `act`, however slow the browser is. */
const whileBankDecides = (payer: WalkPayer, act: () => Promise<void>) =>
  withFaults(payer, 'card', { webhooks: 'off' }, act);

/** Returns the bank's return URL of that attempt, including its secret. */
function returnAddress({ watch }: WalkPayer, attempt: number): string {
  const address = watch.urls.find((url) => url.includes(`/return/${attempt}-`));
  assert.ok(address, 'the payer has come back');
  return address;
}

const WALKS: readonly Walk[] = [
  {
    name: 'a payment succeeds when the payer closes the browser while the bank decides',
    covered: true,
    isAlone: true,
    request,
    async act(payer) {
      await whileBankDecides(payer, async () => {
        await payByCard(payer, madeUpCard('1', '03'));
        await payer.at((texts) => texts.waiting.bank.title);
        await payer.closeTab();
      });
    },
    ends: { state: 'success paid', at: 'page', callback: 'success', charges: 1 },
  },
  {
    name: 'the back button after the payment shows that it is paid',
    plain: true,
    request,
    async act(payer) {
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      await payer.page.goBack();
      await payer.page.goForward().catch(() => undefined);
      await payer.page.reload();
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer who goes back to a filled card form is not charged twice',
    plain: true,
    request,
    async act(payer) {
      await payByCard(payer, cardRefusedFor('12'));
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await payByCard(payer, AT_ONCE);
      await payer.at((texts) => texts.ended.paid);
      const { pathname } = new URL(payer.page.url());
      await payer.page.goto(`${stage.gateway.url}${pathname}?after=1&type=card`);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'a card that is sent from two tabs is charged once',
    plain: true,
    request,
    async act(payer) {
      await typeCard(payer, AT_ONCE);
      const first = await payer.newTab();
      await typeCard(payer, AT_ONCE);
      await payer.press('pay');
      await payer.at((texts) => texts.ended.paid);
      payer.page = first;
      await payer.press('pay');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a double click on Pay pays once',
    plain: true,
    request,
    async act(payer) {
      await typeCard(payer, AT_ONCE);
      const pay = payer.page.locator('form:has(input[name="act"][value="pay"]) button');
      await pay.dblclick({ noWaitAfter: true });
      // The second click may get its response while the first still waits for the acquirer.
      await payer.becomes((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer pays another way after a refused card',
    covered: true,
    request: named,
    meets: ['bank_transfer_iframe'],
    async act(payer) {
      await payer.at((texts) => texts.choose.title);
      await payer.choose('card');
      await payByCard(payer, cardRefusedFor('12'));
      await payer.at((texts) => texts.refused.title);
      await payer.press('another_way');
      await payer.at((texts) => texts.choose.title);
      await payer.choose('bank_transfer_iframe');
      await payer.at((texts) => texts.choose.types.bank_transfer_iframe.name);
      await payer.press('pay');
      await payer.at((texts) => texts.frame.title);
      await payInTrustlyFrame(payer, 'Nordbank', 'agree');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'a payer whose payment is open in another tab is asked before it is cancelled, and may continue',
    request: named,
    meets: ['bank_transfer_iframe'],
    async act(payer) {
      for (const name of ['Visa', 'Mastercard']) await payer.page.getByRole('img', { name, exact: true }).waitFor();
      await payer.choose('bank_transfer_iframe');
      await payer.press('pay');
      await payer.at((texts) => texts.frame.title);
      const first = await payer.newTab();
      await payer.at((texts) => texts.frame.title);
      await payer.page.locator('footer form:has(input[value="cancel"]) button').click();
      await payer.at((texts) => texts.cancelQuestion.title);
      await payer.press('continue_paying');
      await payer.at((texts) => texts.frame.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      payer.page = first;
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: FAILED('cancelled abandoned'),
  },
  {
    name: 'a payer who cancels before the first attempt creates no deposit',
    plain: true,
    request,
    async act(payer) {
      await payer.at((texts) => texts.card.title);
      await payer.press('cancel');
      await payer.at((texts) => texts.ended.cancelled);
      await payer.goBack();
    },
    ends: { state: '', at: 'failed', callback: null, charges: 0 },
  },
  {
    name: 'a forged return from the bank does not count as a payment',
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await answerChallenge(payer, 'cancel');
      await payer.at((texts) => texts.refused.title);
      await payer.press('try_again');
      await payByCard(payer, CHALLENGE);
      await payer.at((texts) => texts.challenge.title);
      const own = new URL(returnAddress(payer, 1));
      const [, secret = ''] = /return\/1-(.+)$/.exec(own.pathname) ?? [];
      const success = Buffer.from('{"transStatus":"Y"}').toString('base64url');
      const forged = `threeDSResult=${success}&cres=${success}&resultCode=Authorised&redirectResult=x`;
      await payer.page.goto(`${own.origin}${own.pathname}?${forged}`);
      await payer.at((texts) => texts.challenge.title);
      // With the other attempt's secret, and with invalid secrets.
      for (const proof of [`2-${secret}`, `2-${secret.slice(1)}A`, '2-', '2']) {
        const wrong = own.pathname.replace(/return\/.*$/, `return/${proof}`);
        const answer = await payer.page.goto(`${own.origin}${wrong}?${forged}`);
        assert.equal(answer?.status(), 404, proof);
      }
      await payer.page.goto(`${own.origin}${own.pathname.replace(/\/return\/.*$/, '')}`);
      await answerChallenge(payer, RIGHT_CODE);
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('refused paid'),
  },
  {
    name: 'a payer who changes the language keeps it, and what they typed except the card’s secrets',
    plain: true,
    request,
    async act(payer) {
      const [other, texts] = payer.way.language === 'kk' ? (['uk', ukrainian] as const) : (['kk', kazakh] as const);
      await payer.at((own) => own.card.title);
      await payer.type({ card_number: AT_ONCE, ...CARD });
      await payer.page.locator('nav.languages summary').click();
      await payer.page.locator(`nav button[lang="${other}"]`).click();
      await payer.page.getByRole('heading', { level: 1, name: texts.card.title, exact: true }).waitFor();
      await payer.page.getByText(texts.card.typeAgain).waitFor();
      const value = (id: string) => payer.page.locator(`#${id}`).inputValue();
      assert.deepEqual([await value('card_number'), await value('card_holder')], ['', CARD.card_holder]);
      const { card_holder: _, ...secrets } = CARD;
      await payer.type({ card_number: cardRefusedFor('12'), ...secrets });
      await payer.press('pay');
      await payer.page.getByRole('heading', { level: 1, name: texts.refused.title, exact: true }).waitFor();
      await payer.page.locator('form:has(input[name="act"][value="cancel"]) button').first().click();
      await payer.page.getByRole('heading', { level: 1, name: texts.ended.cancelled, exact: true }).waitFor();
      await payer.page.locator('main a.button').click();
    },
    ends: FAILED('cancelled refused'),
  },
  {
    name: 'a form shows the day and hour of its deadline, counts the last hour down, and then accepts no card',
    plain: true,
    request,
    async act(payer) {
      await setTimeLeft(payer, 24 * HOUR_MS);
      await payer.page.reload();
      await payer.at((texts) => texts.card.title);
      const shown = (await payer.page.locator('.deadline').innerText()).replace(/\s/g, ' ');
      const { language, hasScript } = payer.way;
      const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
      assert.ok(hasScript ? [0, 1].some((day) => shown.includes(days.format(day, 'day'))) : /24|23/.test(shown), shown);
      await setTimeLeft(payer, HOUR_MS / 2);
      await payer.page.reload();
      await typeCard(payer, AT_ONCE);
      assert.match(await payer.page.locator('.deadline').innerText(), hasScript ? /29:\d\d|30:00/ : /30/);
      await setTimeLeft(payer, 100_000);
      await payer.page.reload();
      await typeCard(payer, AT_ONCE);
      const { twoMinutes } = catalogueOf(language).payment;
      if (hasScript) await payer.page.getByText(twoMinutes, { exact: true }).waitFor();
      await letTimePass(payer);
      await payer.press('pay');
      await payer.at((texts) => texts.ended.expired);
      await payer.goBack();
    },
    ends: { state: '', at: 'failed', callback: null, charges: 0 },
  },
  {
    name: 'the shop’s link reopens an unanswered challenge until the payer’s time ends',
    request,
    meets: ['card'],
    async act(payer) {
      await payByCard(payer, CHALLENGE);
      await payer.at((texts) => texts.challenge.title);
      await payer.open(request);
      await payer.at((texts) => texts.challenge.title);
      await letTimePass(payer);
      await payer.page.reload();
      await payer.becomes((texts) => texts.ended.expired);
      await payer.goBack();
    },
    ends: FAILED('expired refused'),
  },
  {
    name: 'a page without a connection keeps the typed card and sends nothing, and a waiting page shows the lost connection',
    isAlone: true,
    request,
    async act(payer) {
      const { page, context, way } = payer;
      const { offline } = catalogueOf(way.language);
      await typeCard(payer, madeUpCard('1', '03'));
      await context.setOffline(true);
      await payer.press('pay');
      await page.getByText(offline.press, { exact: true }).waitFor();
      assert.deepEqual(
        [await page.locator('#card_holder').inputValue(), await page.locator('#card_cvv').inputValue()],
        [CARD.card_holder, CARD.card_cvv],
      );
      assert.equal(await payer.stage.standing(payer.merchant.id, payer.order), undefined);
      await context.setOffline(false);
      await whileBankDecides(payer, async () => {
        await payer.press('pay');
        await payer.at((texts) => texts.waiting.bank.title);
        await context.setOffline(true);
        await page.getByText(offline.waiting, { exact: true }).waitFor();
        await context.setOffline(false);
      });
      await payer.becomes((texts) => texts.ended.paid);
      await payer.goBack();
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer pays in the shop’s own page, and only that page receives the form’s height and result',
    request,
    settings: (shop) => ({ allowed_embedding_origins: shop }),
    async act(payer) {
      const { page, merchant, watch, way } = payer;
      const frameOf = (origin: string) =>
        `${origin}/${merchant.id}/frame?${new URLSearchParams({ form: payer.link(request) })}`;
      const heard = () => page.evaluate<Heard[]>('heard');
      const foreign = stage.shop.origin.replace('127.0.0.1', 'localhost');
      watch.expect(foreign);
      await page.goto(frameOf(foreign));
      await until('the browser refuses a frame in a foreign page', () => watch.offences.splice(0).length > 0);
      assert.deepEqual(await heard(), []);
      await page.goto(frameOf(stage.shop.origin));
      const form = page.frameLocator('#pay');
      for (const [id, text] of Object.entries({ card_number: AT_ONCE, ...CARD }))
        await form.locator(`#${id}`).fill(text);
      await form.locator('form:has(input[value="pay"]) .button--primary').click();
      await form.getByRole('heading', { name: catalogueOf(way.language).ended.paid }).waitFor();
      await until('the end', async () => (await heard()).some(({ type }) => type === 'payment_form.end'));
      const messages = await heard();
      assert.ok(messages.every(({ origin }) => origin === stage.gateway.url));
      assert.deepEqual(messages.find(({ type }) => type === 'payment_form.end')?.result, 'paid');
      assert.ok((messages.find(({ type }) => type === 'payment_form.height')?.height ?? 0) > 300);
      await form.locator('main a.button').click();
    },
    ends: PAID('paid'),
  },
];

describeWalks('payers at unusual moments', () => stage, WALKS);
