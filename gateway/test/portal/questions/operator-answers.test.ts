/** Questions that operator users try to answer on the pages, each with the page where they look for it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { untilPaused } from '../../support/gateway/until-paused.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { until } from '../../support/tools/until.ts';
import { arrive } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

let stage: PortalStage;
let merchant: TestMerchant;
let operator: Visitor;

before(async () => {
  stage = await openPortalStage();
  merchant = await stage.gateway.merchant();
  await merchant.pay(1, 'PAID-1', { amount: '1340.50' });
  await merchant.final('PAID-1');
  operator = await invited(stage, null, 'administrator', 'Olga Orlova');
});
after(() => stage.close());

describe('the questions of operator users', () => {
  it('the inbox shows a merchant whose callbacks are paused, and one accepted callback resumes them', async () => {
    const { page } = operator;
    const { pool } = stage.gateway.database;
    const due = `update callbacks set state = 'due', due_at = now() + interval '1 hour', finished_at = null
      where merchant_id = $1 and subject_id = 'PAID-1'`;
    await pool.query(due, [merchant.id]);
    const pause = `update callback_lanes set failures = 9, due_at = now() + interval '1 hour',
      paused_until = now() + interval '1 hour' where merchant_id = $1 and lease_until is null`;
    await until('no worker holds the lane', async () => (await pool.query(pause, [merchant.id])).rowCount || undefined);
    await operator.goto('/?kind=lane');
    await page.getByText('9 failed attempts in a row').waitFor();
    await page.getByRole('button', { name: `Try now: ${merchant.id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try now' }).click();
    await until('the lane is open again', async () => {
      const { rows } = await pool.query('select failures from callback_lanes where merchant_id = $1', [merchant.id]);
      return rows[0]?.failures === 0 || undefined;
    });
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    assert.equal(await page.getByText('failed attempts in a row').count(), 0);
    assert.deepEqual(operator.offences, []);
  });

  it('the list of rails shows the balance expected in a day, and what the rail collected', async () => {
    const { page } = operator;
    const { database } = stage.gateway;
    const volume = (flow: string, age: string, amount: number) =>
      database.pool.query(
        `insert into payment_volumes (merchant_id, hour, flow, method, rail, currency, state, payments, amount, fee, waits)
         values ($1, date_trunc('hour', now()) - $3::interval, $2, '1', 'wayforpay', 'UAH', 'success', 1, $4, 0, '{}')`,
        [merchant.id, flow, age, amount],
      );
    await volume('payout', '7 days', 234_500);
    await volume('payout', '3 days', 999_900);
    await volume('deposit', '2 hours', 65_050);
    await database.pool.query(`update rail_floats set amount = 1234567, read_at = now() where rail = 'wayforpay'`);
    await operator.goto('/rails');
    const row = page.getByRole('row', { name: /^wayforpay/ });
    await row.getByText('10,000.67 UAH').waitFor();
    await row.getByText('12,345.67 UAH').waitFor();
    await row.getByText('650.50 UAH').waitFor();
    const faults = [...(await operator.violations()), ...operator.offences];
    // Delete the volumes: the ledger never posted these payments, so the check would fail.
    await database.pool.query('delete from payment_volumes where merchant_id = $1', [merchant.id]);
    assert.deepEqual(faults, []);
  });

  it('the operator search finds a merchant by name, and explains that payers cannot be searched by name', async () => {
    const { page } = operator;
    const shop = await stage.gateway.operations.merchants.create({
      merchantId: 'm-bakery',
      profile: { name: 'Corner Bakery' },
      settings: {},
    });
    assert.ok(shop.ok);
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    await page.keyboard.press('/');
    await page.keyboard.type('er bak');
    await page.getByRole('option', { name: /Corner Bakery.*m-bakery/ }).waitFor();
    await page.keyboard.press('Enter');
    await arrive(operator, /Corner Bakery/);
    assert.match(await page.title(), /^Corner Bakery · m-bakery · /);
    await page.keyboard.press('/');
    await page.keyboard.type('Nobody Known');
    await page.getByText('Names of payers and beneficiaries cannot be searched').waitFor();
    assert.deepEqual([...(await operator.violations()), ...operator.offences], []);
  });

  it('the list of merchants shows what each paid and collected, and its queue', async () => {
    const { page } = operator;
    const { pool } = stage.gateway.database;
    const volume = (flow: string, days: number, amount: number) =>
      pool.query(
        `insert into payment_volumes (merchant_id, hour, flow, method, rail, currency, state, payments, amount, fee, waits)
         values ($1, date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => $3), $2, '1',
           'wayforpay', 'UAH', 'success', 1, $4, 0, '{}')`,
        [merchant.id, flow, days, amount],
      );
    await volume('payout', 0, 12_300);
    await volume('payout', 6, 45_600);
    await volume('payout', 7, 99_900);
    await volume('deposit', 1, 65_050);
    await operator.goto('/merchants');
    const row = page.getByRole('row', { name: new RegExp(merchant.id) });
    for (const amount of ['123.00 UAH', '579.00 UAH', '650.50 UAH'])
      await row.getByText(amount, { exact: true }).waitFor();
    const faults = [...(await operator.violations()), ...operator.offences];
    await pool.query('delete from payment_volumes where merchant_id = $1', [merchant.id]);
    assert.deepEqual(faults, []);
  });

  it('support finds the pause from a payout of a paused merchant, and operations resumes it from the inbox', async () => {
    await stage.gateway.operations.pauses.pause('merchant', merchant.id, 'papers are missing');
    await untilPaused(stage.gateway, merchant, 1);
    await merchant.pay(1, 'HELD-1', { amount: '12.00' });
    const support = await invited(stage, null, 'support', 'Sofia Berg');
    await support.goto(`/payouts/${merchant.id}/HELD-1`);
    await support.page.getByText('The merchant can: wait, or ask the operator').waitFor();
    await support.page.getByRole('link', { name: 'View pauses' }).click();
    await support.page.getByText('papers are missing').waitFor();
    await support.page.getByRole('link', { name: `Open: Merchant ${merchant.id}` }).click();
    await support.page.getByText('Payouts paused since').waitFor();
    assert.equal(await support.page.getByRole('button', { name: /^Resume/ }).count(), 0);
    const { page } = operator;
    await operator.goto('/?kind=pause');
    await page.getByRole('button', { name: `Resume: Merchant ${merchant.id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('papers are missing').waitFor({ state: 'detached' });
    await merchant.final('HELD-1');
    const faults = [support, operator].flatMap(({ offences }) => offences);
    assert.deepEqual([...(await support.violations()), ...faults], []);
  });

  it('a user who may not resolve a difference sees the roles that can', async () => {
    const { pool } = stage.gateway.database;
    await pool.query(
      `insert into differences (rail, day, kind, subject, ours, theirs, found_at)
       values ('wayforpay', '2026-01-05', 'missing_here', 'REF-7', '', 'executed, 9.00 UAH', now())`,
    );
    const auditor = await invited(stage, null, 'auditor', 'Aude Petit');
    await auditor.goto('/?kind=difference');
    await auditor.page.getByRole('link', { name: 'Open: REF-7' }).click();
    await auditor.page.getByText('roles that can decide this: Administrator, Operations, Treasury').waitFor();
    assert.deepEqual([...(await auditor.violations()), ...auditor.offences], []);
    await pool.query(`delete from differences where subject = 'REF-7'`);
  });

  it('the menu button of a phone opens the menu, and a link of the menu closes it', async () => {
    const { page } = operator;
    await page.setViewportSize({ width: 390, height: 844 });
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    const menu = page.getByRole('button', { name: 'Menu' });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Rails' });
    assert.equal(await link.isVisible(), false);
    await menu.click();
    await link.waitFor();
    assert.equal(await menu.getAttribute('aria-expanded'), 'true');
    assert.deepEqual([...(await operator.violations()), ...operator.offences], []);
    await menu.click();
    await link.waitFor({ state: 'hidden' });
    await menu.click();
    await link.click();
    await arrive(operator, 'Rails');
    assert.equal(await link.isVisible(), false);
    assert.equal(await menu.getAttribute('aria-expanded'), 'false');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
