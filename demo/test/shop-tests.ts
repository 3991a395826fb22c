/**
 * The demo's shop for a reader: every link that `npm start` prints leads to a form that can be paid by clicking. The demo that
 * start.test.ts has started serves it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { launchChromium, openContext } from '../../gateway/test/browser/chromium.ts';
import { until } from '../../gateway/test/support/tools/until.ts';
import { type DemoRun, ROOT } from './demo-run.ts';

const IS_FULL = process.env['TEST_FULL'] !== undefined;
const AXE = join(ROOT, 'node_modules/axe-core/axe.min.js');

let run: DemoRun;
let browser: Browser;
let shopUrl = '';

/** Returns the payment types in the printed shop URLs. */
function printedTypes(): string[] {
  return [...run.printed().matchAll(/^ {2}[^:]+: \S+\/shop\/(\w+)$/gm)].map(([, type = '']) => type);
}

async function follow(address: string): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' });
  assert.equal(answer.status, 303, address);
  return new URL(answer.headers.get('location') ?? '', address).href;
}

/** Waits for the frame whose URL contains `part`. */
async function frameAt(page: Page, part: string): Promise<Frame> {
  for (;;) {
    const found = page.frames().find((frame) => frame.url().includes(part));
    if (found) return found;
    await page.waitForEvent('framenavigated');
  }
}

async function fillCard(page: Page, number: string): Promise<void> {
  const card = { card_number: number, card_expiry: '12/39', card_cvv: '737', card_holder: 'ANA SOUZA' };
  for (const [id, text] of Object.entries(card)) await page.fill(`#${id}`, text);
  await page.getByRole('button', { name: /^Pay/ }).click();
}

/** Another link of the form has the same text. It leads to the shop without a result. */
async function cancel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor();
  await page.getByRole('link', { name: 'Back to Demo shop' }).click();
}

/** Opens the page of the payer's bank from the shop's link. */
async function openBank(context: BrowserContext, name: string): Promise<Page> {
  const shop = await context.newPage();
  await shop.goto(shopUrl);
  const [bank] = await Promise.all([context.waitForEvent('page'), shop.getByRole('link', { name }).click()]);
  return bank;
}

/** A reader's steps for each payment type, as the shop explains them. */
const WALKS: Readonly<Record<string, (page: Page, context: BrowserContext) => Promise<void>>> = {
  card: (page) => fillCard(page, '4111111111111111'),
  async open_banking(page) {
    await page.locator('[data-banks] button').first().click();
    // The gateway's page redirects to the bank.
    await page.fill('#user', 'ana');
    await page.fill('#password', 'anything');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Agree and pay' }).click();
  },
  async e_transfer(page, context) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Accept the request' }).waitFor();
    const messages = await openBank(context, 'Open the payer’s messages');
    // The message arrives after a delay.
    while ((await messages.locator('li a').count()) === 0) await messages.reload();
    await messages.locator('li a').first().click();
    await messages.getByRole('button', { name: 'Accept and pay' }).click();
  },
  async instant_bank(page, context) {
    await page.getByRole('button', { name: 'Continue' }).click();
    const code = await page.locator('textarea').inputValue();
    const bank = await openBank(context, 'Open the payer’s bank');
    await bank.fill('#charge', code);
    await bank.getByRole('button', { name: 'Go on' }).click();
    await bank.getByRole('button', { name: /^Pay/ }).click();
  },
  async bank_transfer_iframe(page) {
    await page.getByRole('button', { name: 'Continue' }).click();
    const bank = await frameAt(page, '/checkout');
    await bank.getByRole('button', { name: 'Nordbank' }).click();
    await bank.fill('#user', '1');
    await bank.fill('#code', '1234');
    await bank.getByRole('button', { name: 'Log in' }).click();
    await bank.getByRole('button', { name: /^Pay/ }).click();
  },
};

/** The form may start to reload, and abort that, while it already redirects the payer back. */
async function arriveAt(page: Page, path: string): Promise<void> {
  await until(`the shop’s ${path}`, () => page.url().startsWith(`${shopUrl}${path}`));
}

async function paid(page: Page): Promise<void> {
  await arriveAt(page, '/success?');
  await page.getByText('callback: success').waitFor();
  const order = new URL(page.url()).searchParams.get('order_no');
  await run.until(new RegExp(`^[\\d:]{8} ← callback ${order}: .* success, signatures ✓$`, 'm'));
}

/** Opens the shop and presses a product's button. `act` does the rest. */
async function buy(type: string, act: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await openContext(browser, { viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('console', (message) => message.type() === 'error' && offences.push(message.text()));
  await page.goto(shopUrl);
  await page.locator(`a[href="/shop/${type}"]`).click();
  await act(page, context).catch(async (error: Error) => {
    throw new Error(`${error.message}\nat ${page.url()}: ${await page.locator('body').innerText()}`, { cause: error });
  });
  assert.deepEqual(offences, []);
  await context.close();
}

function describeLinks(): void {
  describe('the links of the demo’s shop', () => {
    it('the shop has a link for each payment type', () => {
      const all = ['bank_transfer_iframe', 'card', 'e_transfer', 'instant_bank', 'open_banking'];
      assert.deepEqual(printedTypes().toSorted(), all);
    });

    it('each visit of a shop’s link opens a form with a new order', async () => {
      for (const type of printedTypes()) {
        const links = [await follow(`${shopUrl}/${type}`), await follow(`${shopUrl}/${type}`)];
        const [first, second] = links.map((link) => new URL(link).searchParams.get('order'));
        assert.notEqual(first, second);
        for (const link of links) assert.equal((await fetch(await follow(link))).status, 200, type);
      }
    });

    it('the form rejects a shop’s link whose amount was changed', async () => {
      const link = await follow(`${shopUrl}/card`);
      const altered = await fetch(link.replace('amount=19.00', 'amount=1.00'), { redirect: 'manual' });
      assert.equal(altered.status, 400);
      assert.match(await altered.text(), /sign/);
    });

    it('the demo prints the steps at each simulated bank beside the shop’s links', () => {
      assert.match(run.printed(), /4111 1111 1111 1111 → paid.*5454 5454 5454 5454 → .* code, 123456/);
      assert.match(run.printed(), /^ {4}4000 0012 0000 0008 → refused/m);
      assert.match(run.printed(), /^ {4}the payer’s bank: http:\/\/127\.0\.0\.1:\d+\/$/m);
      assert.match(run.printed(), /^ {4}the payer’s messages: http:\/\/127\.0\.0\.1:\d+\/inbox\?email=\S+$/m);
    });
  });
}

function describeCustomer(): void {
  describe('a customer of the demo’s shop', { concurrency: 2 }, () => {
    // The gateway's own tests cover the walks of each payment type.
    for (const [type, walk] of IS_FULL ? Object.entries(WALKS) : []) {
      it(`a customer pays by clicking and sees the callback arrive (${type})`, async () => {
        await buy(type, async (page, context) => {
          await walk(page, context);
          await paid(page);
        });
      });
    }

    it('a customer confirms a card payment with the bank’s code and sees the callback arrive', async () => {
      await buy('card', async (page) => {
        await fillCard(page, '5454545454545454');
        const bank = await frameAt(page, '/three-d-secure/challenge');
        await bank.fill('#code', '123456');
        await bank.getByRole('button', { name: 'Confirm' }).click();
        await paid(page);
      });
    });

    it('a customer with too little money cancels, and the shop receives a failed callback', async () => {
      await buy('card', async (page) => {
        await fillCard(page, '4000001200000008');
        await page.getByText('There is not enough money').waitFor();
        await cancel(page);
        await arriveAt(page, '/fail?');
        await page.getByText('callback: fail').waitFor();
      });
    });

    it('a customer who cancels before the first attempt does not create a transaction', async () => {
      await buy('card', async (page) => {
        await cancel(page);
        await page.getByText('so there is no transaction').waitFor();
      });
    });
  });
}

function describePages(): void {
  describe('a page of the demo’s shop', () => {
    it('the demo’s output hides the tokens of form addresses and omits the requests for assets', () => {
      assert.match(run.printed(), /→ GET \/payment\/form\/:token 200/);
      assert.doesNotMatch(run.printed(), /\/payment\/form\/[A-Za-z0-9]{20}|\/assets\//);
    });

    it('a page of the shop states that it is a demo and shows parameters only as text', async () => {
      const answer = await fetch(`${shopUrl}/success?order_no=%3Cscript%3E1%3C/script%3E&item_name=%22%3E%3Cb%3E`);
      const html = await answer.text();
      assert.match(html, /A demo of the payment gateway: nothing is sold here, and no money moves/);
      assert.doesNotMatch(html, /<script>1|<b>/);
      assert.doesNotMatch(answer.headers.get('content-security-policy') ?? '', /unsafe/);
    });

    it('an unknown page of the shop links to the shop', async () => {
      const answer = await fetch(`${shopUrl}/elsewhere`);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /href="\/shop"/);
    });

    for (const colorScheme of IS_FULL ? (['light', 'dark'] as const) : (['dark'] as const)) {
      it(`the shop’s pages have no accessibility fault on a phone in ${colorScheme} mode`, async () => {
        const context = await openContext(browser, { colorScheme, viewport: { width: 320, height: 640 } });
        await context.addInitScript({ path: AXE });
        const page = await context.newPage();
        for (const path of [
          '',
          '/success?order_no=x&co_inv_st=success',
          '/fail?order_no=x&co_inv_st=canceled',
          '/elsewhere',
        ]) {
          await page.goto(shopUrl + path);
          const faults = await page.evaluate<string[]>(
            'axe.run().then((found) => found.violations.map(({ id }) => id))',
          );
          const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
          assert.deepEqual([faults, isWide], [[], false], path);
        }
        await context.close();
      });
    }
  });
}

/** Declares the shop tests for the demo that `running` returns, which must be serving by then. */
export function describeShop(running: () => DemoRun): void {
  describe('the demo’s shop', () => {
    before(async () => {
      run = running();
      browser = await launchChromium();
      shopUrl = /the shop has all of them: (\S+)$/m.exec(run.printed())?.[1] ?? '';
    });
    after(() => browser?.close());
    describeLinks();
    describeCustomer();
    describePages();
  });
}
