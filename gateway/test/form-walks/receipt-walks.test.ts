/** Payers who get their receipt by email, through a real mail server. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { themeColours } from '../../contract/look/brand-theme.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import { startMailServer, type TestMailServer } from '../support/servers/mail-server.ts';
import { until } from '../support/tools/until.ts';
import { payByCard } from './bank-acts.ts';
import { describeWalks, PAID } from './walk.ts';
import type { WalkPayer } from './walk-payer.ts';
import { openWalkStageWith, type WalkStage } from './walk-stage.ts';

const PAGES = 'https://shop.example/';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';

/** Each payer has a different email address, because all share the mail server. */
const emailOf = ({ merchant }: WalkPayer) => `joana.${merchant.id.toLowerCase()}@example.com`;

/** Returns the headers and the decoded body. Mail is base64 or quoted-printable, depending on its characters. */
function textOf(message: string): string {
  const [headers = '', ...body] = message.split('\r\n\r\n');
  if (/^content-transfer-encoding: base64/im.test(headers))
    return `${headers}\n${Buffer.from(body.join(''), 'base64').toString()}`;
  const bytes = body
    .join('\n\n')
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex) => `%${hex}`);
  return `${headers}\n${decodeURIComponent(bytes.replace(/%(?![\dA-F]{2})/g, '%25'))}`;
}

const AT_HOME = { currency: 'UAH', country: 'UA', email: 'joana@example.com', payment_url: undefined };

let stage: WalkStage;
let mail: TestMailServer;

before(async () => {
  mail = await startMailServer();
  stage = await openWalkStageWith({ SMTP_URL: mail.url, MAIL_FROM: 'pay@gateway.example' }, 'card');
});
after(async () => {
  await stage.verifyAndClose();
  await mail.close();
});

describeWalks('payers who get a receipt by email', () => stage, [
  {
    name: 'a payer who typed an email address gets one receipt there',
    request: { currency: 'UAH', country: 'UA', email: undefined },
    settings: { receipt_email: 'on', support_contact: 'help@shop.example' },
    async act(payer) {
      const to = emailOf(payer);
      await payer.type({ email: to });
      await payByCard(payer, '4917610000000000');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack();
      const message = await until('the receipt', () => mail.messages.find((each) => each.includes(`To: ${to}`)));
      const text = textOf(message);
      for (const part of ['Reply-To: help@shop.example', '0000']) assert.ok(text.includes(part), text);
      const { receipt, receiptEmail } = catalogueOf(payer.way.language);
      assert.ok(text.includes(receiptEmail.line(receipt.paidTo, 'Nova Books')), text);
      assert.ok(!text.includes('491761'), 'no card number');
      assert.match(text, /(?:GMT|UTC)\+5/, 'the date is in the payer’s zone, with the zone’s name');
    },
    ends: PAID('paid'),
  },
  {
    name: 'a payer of a shop without return addresses keeps the last page as a receipt, on screen and on paper',
    plain: true,
    request: AT_HOME,
    settings: { support_contact: 'help@shop.example' },
    profile: { siteUrl: null, successUrl: null, failUrl: null },
    async act(payer) {
      await payByCard(payer, '4917610000000000');
      await payer.at((texts) => texts.ended.paid);
      const { page, way } = payer;
      const { receipt } = catalogueOf(way.language);
      const facts = (await page.locator('dl.facts').innerText()).replaceAll('\u00A0', ' ');
      for (const part of [
        'Nova Books',
        receipt.card('Visa', '0000'),
        payer.order,
        receipt.transaction,
        'help@shop.example',
      ])
        assert.ok(facts.includes(part), `${part} in ${facts}`);
      assert.match(facts, way.hasScript ? /(?:GMT|UTC)\+5/ : /UTC/);
      await page.emulateMedia({ media: 'print' });
      assert.ok(await page.locator('dl.facts').isVisible());
      assert.equal(await page.locator('.footer').isVisible(), false);
      await page.emulateMedia({ media: 'screen' });
      await page.goto(payer.link(AT_HOME));
      await payer.at((texts) => texts.ended.paid);
    },
    ends: { ...PAID('paid'), at: 'page' },
  },
  {
    name: 'a payer sees the shop’s own logo, name, colour and links, the brands as pictures, and that no real money moves',
    request: { currency: 'UAH', country: 'UA', email: 'joana@example.com' },
    settings: {
      display_name: 'Nova',
      brand_color: '#8a1538',
      logo: `data:image/svg+xml;base64,${btoa(LOGO)}`,
      support_contact: 'help@shop.example',
      terms_url: `${PAGES}terms`,
      privacy_url: `${PAGES}privacy`,
    },
    async act(payer) {
      const { page } = payer;
      const look = await page.evaluate<unknown[]>(`[
        document.querySelector('img.logo').complete,
        document.querySelector('.merchant-name').textContent,
        getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
      ]`);
      assert.deepEqual(look, [true, 'Nova', themeColours('#8a1538', 'light').accent]);
      for (const brand of ['Visa', 'Mastercard']) await page.getByRole('img', { name: brand, exact: true }).waitFor();
      const links = await page.locator('.help a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, ['mailto:help@shop.example', `${PAGES}terms`, `${PAGES}privacy`]);
      await page.locator('.test', { hasText: catalogueOf(payer.way.language).testMode.text }).waitFor();
      await payByCard(payer, '4917610000000000');
      await payer.at((texts) => texts.ended.paid);
      await payer.goBack('Nova');
    },
    ends: PAID('paid'),
  },
]);

it('a payer who paid once gets one receipt', () => {
  const receivers = mail.messages.map((message) => /^To: (.*)\r$/m.exec(message)?.[1]);
  assert.ok(receivers.length > 0);
  assert.equal(new Set(receivers).size, receivers.length);
});
