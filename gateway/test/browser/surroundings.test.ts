/** The form without a connection and in a shop's frame, in a real browser with sample pages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../support/tools/until.ts';
import { SHOP_ORIGIN } from './page-samples.ts';
import { openPageStage, type PageStage } from './page-stage.ts';

let stage: PageStage;

before(async () => {
  stage = await openPageStage();
});
after(() => stage.close());

/** Opens a page without checking its console, because a browser reports a lost connection there. */
async function open(path: string): Promise<Page> {
  const { page } = await stage.open({ viewport: { width: 360, height: 740 } });
  await page.goto(`${stage.server.origin}${path}`);
  return page;
}

describe('a payer without a connection', () => {
  it('a page keeps the typed values when the payer presses Pay without a connection', async () => {
    const page = await open('/page/card?lang=en');
    const typed = { card_number: '4111111111111111', card_expiry: '1239', card_cvv: '737', card_holder: 'JOANA SILVA' };
    for (const [id, text] of Object.entries(typed)) await page.locator(`#${id}`).fill(text);
    const before = stage.server.posted.length;
    // Only the request fails: the browser still reports that it is online.
    await page.route('**/assets/icon*', (route) => route.abort('internetdisconnected'));
    const pay = page.getByRole('button', { name: /^Pay/ });
    await pay.click();
    await page.getByText('Nothing was sent, and what you typed is still here').waitFor();
    assert.equal(await page.locator('#card_holder').inputValue(), 'JOANA SILVA');
    assert.equal(stage.server.posted.length, before);
    await page.unroute('**/assets/icon*');
    await pay.dblclick();
    await until('the card arrives', () => stage.server.posted.length > before);
    await page.waitForLoadState();
    assert.equal(stage.server.posted.length, before + 1, 'the second press was not doubled');
    await page.context().close();
  });

  it('a waiting page shows while offline that the payment continues', async () => {
    const page = await open('/page/waiting-bank?lang=en');
    const notice = page.getByText('The payment continues without this page');
    await page.context().setOffline(true);
    await notice.waitFor();
    await page.context().setOffline(false);
    await notice.waitFor({ state: 'hidden' });
    await page.context().close();
  });
});

describe('the form in a shop’s frame', () => {
  const messagesTo = (page: Page) =>
    page.evaluate<{ origin: string; data: { type: string; height?: number; result?: string } }[]>('messages');

  it('the form posts its height and its result to the registered origin', async () => {
    const page = await open(`/shop/paid?origin=${stage.server.origin}`);
    await until('both messages', async () => (await messagesTo(page)).length >= 2);
    const messages = await messagesTo(page);
    assert.ok(messages.every(({ origin }) => origin === stage.server.origin));
    assert.deepEqual(messages.find(({ data }) => data.type === 'payment_form.end')?.data, {
      type: 'payment_form.end',
      result: 'paid',
    });
    const heights = messages.flatMap(({ data }) => (data.type === 'payment_form.height' ? [data.height ?? 0] : []));
    assert.ok((heights.at(-1) ?? 0) > 300);
    const frame = await page.locator('iframe').boundingBox();
    assert.equal(frame?.height, heights.at(-1), 'the page’s own script sets the height');
    await page.context().close();
  });

  it('the form does not post anything to an origin that the merchant has not registered', async () => {
    const page = await open(`/shop/paid?origin=${SHOP_ORIGIN}`);
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await messagesTo(page), []);
    await page.context().close();
  });
});
