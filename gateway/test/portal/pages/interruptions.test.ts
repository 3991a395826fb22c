/**
 * A restarted gateway, an expired session, a late or lost response, and a user who acts twice: the page explains what
 * happened, keeps the user's input and never performs an action twice.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { createTestMerchant, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { type BankUnderControl, startBank } from '../../support/rails/bank-under-control.ts';
import { arrive } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

const CREATE = '**/manage/v1/merchants/*/payouts';
const LATE_MS = 1_500;
/** The merchant's key, which is the same after a restart. */
const KEY = 'k'.repeat(40);
const UNKNOWN = /We received no response, so the outcome is unknown\. Try again: the action cannot happen twice\./;

let database: TestDatabase;
let bank: BankUnderControl;
let stage: PortalStage;
let merchant: TestMerchant;
let owner: Visitor;
let typed = 0;

before(async () => {
  database = await createTestDatabase();
  bank = await startBank(database.pool);
  stage = await openPortalStage({ WAYFORPAY_URL: bank.url }, database);
  merchant = await stage.gateway.merchant({
    settings: { 'approval_above.UAH': '5000.00' },
    key: KEY,
  });
  owner = await invited(stage, merchant.id, 'owner', 'Ana Souza');
});
after(async () => {
  await stage.close();
  await bank.close();
  await database.close();
});
beforeEach(() => {
  typed += 1;
});

const confirmIn = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' });

/** Enters a new payout, up to the confirmation dialog. */
async function typePayout({ page, goto }: Visitor, open = () => goto('/new-payout?method=1')): Promise<string> {
  await open();
  await page.getByLabel('Card number').fill('4111 1111 1111 1111');
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(`${10 + typed}.00`);
  await page.getByLabel('Your ID for the payout').fill(`TYPED-${typed}`);
  await page.getByRole('button', { name: 'Send the payout' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('an invoice');
  return `TYPED-${typed}`;
}

async function countOf(payoutId: string): Promise<number> {
  return (await database.pool.query('select from payouts where payout_id = $1', [payoutId])).rowCount ?? 0;
}

async function assertCreatedOnce(visitor: Visitor, payoutId: string): Promise<void> {
  await arrive(visitor, new RegExp(`${10 + typed}\\.00 UAH`));
  assert.equal(await countOf(payoutId), 1);
}

/** Lets the gateway perform the action, and drops the response. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionreset');
}

async function answerLate(route: Route): Promise<void> {
  await setTimeout(LATE_MS);
  await route.continue();
}

async function endSessions(): Promise<void> {
  await database.pool.query('update sessions set ended_at = now() where ended_at is null');
}

describe('an interruption of the work on the pages', () => {
  it('a user whose portal session ended signs in again without losing the typed payout', async () => {
    const { page } = owner;
    const payoutId = await typePayout(owner);
    await endSessions();
    await confirmIn(page).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    assert.deepEqual(await owner.violations(), []);
    await page.keyboard.press('Escape');
    await ended.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await ended.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('dialog').getByLabel('Reason').inputValue(), 'an invoice');
    await confirmIn(page).click();
    await assertCreatedOnce(owner, payoutId);
  });

  it('a link that is pressed before the router is loaded shows its page as soon as the router is there', async () => {
    const { page } = owner;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/router-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await owner.goto('/');
    await arrive(owner, 'Today');
    const link = page.getByRole('navigation').getByRole('link', { name: 'Payouts', exact: true });
    await link.click();
    await page.locator('#content .loading').waitFor();
    assert.equal(await link.getAttribute('aria-current'), 'page');
    assert.equal(await page.getByRole('heading', { name: 'Today' }).count(), 0);
    release();
    await arrive(owner, 'Payouts');
    await page.goBack();
    await arrive(owner, 'Today');
    assert.deepEqual(owner.offences, []);
    await page.unroute('**/assets/router-*.js');
  });

  it('a portal page does not show the first user’s data once a different user’s session replaces theirs', async () => {
    const { page, context } = owner;
    const approver = await invited(stage, merchant.id, 'approver', 'Omar Aziz');
    const own = await context.cookies();
    await typePayout(owner);
    await context.addCookies(await approver.context.cookies());
    await confirmIn(page).click();
    await page.getByRole('button', { name: 'Omar Aziz' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    await context.addCookies(own);
    await approver.context.close();
  });

  it('a payout whose response is lost is sent again with the same button, and exists once', async () => {
    const { page } = owner;
    const payoutId = await typePayout(owner);
    await page.route(CREATE, loseAnswer, { times: 1 });
    await confirmIn(page).click();
    await page.getByRole('dialog').getByText(UNKNOWN).waitFor();
    assert.equal(await countOf(payoutId), 1);
    assert.equal(await page.getByRole('dialog').getByLabel('Reason').inputValue(), 'an invoice');
    await confirmIn(page).click();
    await assertCreatedOnce(owner, payoutId);
  });

  it('the portal submits a payout again when the gateway is back, if the user submitted it during a restart', async () => {
    const { page } = owner;
    const payoutId = await typePayout(owner);
    await stage.restart(async () => {
      await confirmIn(page).click();
      await page.getByRole('dialog').getByText(UNKNOWN).waitFor();
    });
    await confirmIn(page).click();
    await assertCreatedOnce(owner, payoutId);
    await owner.goto('/payouts');
    await arrive(owner, 'Payouts');
    await stage.restart(async () => {});
    await createTestMerchant(() => stage.gateway.url, merchant.id, KEY).pay(1, 'LIVE-1', { amount: '12.00' });
    await page.getByRole('link', { name: 'LIVE-1' }).waitFor();
  });
});

if (process.env['TEST_FULL'])
  describe('an action that a person repeats on the pages', () => {
    it('the portal’s submit button is disabled while a request is pending, and later presses create no second payout', async () => {
      const { page } = owner;
      const payoutId = await typePayout(owner);
      await page.route(CREATE, answerLate, { times: 1 });
      await confirmIn(page).dblclick();
      await page.keyboard.press('Enter');
      await assertCreatedOnce(owner, payoutId);
    });

    it('a user who goes back while a payout is being sent reaches that payout', async () => {
      const { page } = owner;
      await owner.goto('/payouts');
      await typePayout(owner, async () => {
        await page.getByRole('link', { name: 'New payout' }).click();
        await page.getByRole('combobox', { name: 'Method' }).selectOption('1');
      });
      await page.route(CREATE, answerLate, { times: 1 });
      await confirmIn(page).click();
      await page.goBack();
      await arrive(owner, 'Payouts');
      await assertCreatedOnce(owner, `TYPED-${typed}`);
    });

    it('the portal warns a user who reloads while a payout is being sent and types it again', async () => {
      const { page } = owner;
      const payoutId = await typePayout(owner);
      await page.route(CREATE, loseAnswer, { times: 1 });
      await confirmIn(page).click();
      await page.getByRole('dialog').getByText(UNKNOWN).waitFor();
      await page.reload();
      await page.getByLabel('Card number').fill('4111 1111 1111 1111');
      await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(`${10 + typed}.00`);
      const warning = page
        .getByRole('status')
        .filter({ hasText: 'A payout of the last 24 hours has the same content' });
      await warning.getByText(payoutId).waitFor();
    });

    it('two tabs that cancel a payout at the same time cancel it once', async () => {
      const { page, context } = owner;
      const id = `LARGE-${typed}`;
      await createTestMerchant(() => stage.gateway.url, merchant.id, KEY).pay(1, id, { amount: '7000.00' });
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(`${stage.origin}/payouts/${merchant.id}/${id}`);
        await tab.getByRole('button', { name: 'Cancel payout' }).click();
        await tab.getByRole('dialog').getByLabel('Reason').fill('typed twice');
      }
      const cancel = (tab: Page) => tab.getByRole('dialog').getByRole('button', { name: 'Cancel payout' });
      await Promise.all(tabs.map((tab) => cancel(tab).click()));
      for (const tab of tabs) await tab.getByText('Blocked', { exact: true }).first().waitFor();
      const cancelled = `select from audit_entries where act = 'payouts.cancel' and phase = 'done' and object like $1`;
      assert.equal((await database.pool.query(cancelled, [`%${id}%`])).rowCount, 1);
      await tabs[1]?.close();
    });
  });
