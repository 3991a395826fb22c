/** The pages of merchants and of the operator in a real browser, with a complete gateway. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import openapi from '../../../../openapi/gateway.json' with { type: 'json' };
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { post } from '../../support/payouts/payout-request.ts';
import { until } from '../../support/tools/until.ts';
import { pressAt, tabTo, typeInto } from '../stage/keyboard.ts';
import { arrive, assertSound, IN_OTHER_LANGUAGES } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, reportRun, type Visitor } from '../stage/portal-stage.ts';

let stage: PortalStage;
let merchant: TestMerchant;
let owner: Visitor;
let operator: Visitor;

before(async () => {
  stage = await openPortalStage();
  merchant = await stage.gateway.merchant({ settings: { 'approval_above.UAH': '5000.00', conformance_days: '7' } });
  await reportRun(stage.gateway.operations, merchant.id);
  await merchant.pay(1, 'U-1', { amount: '1340.50' });
  await merchant.pay(1, '-U-2', { amount: '10.51' });
  for (const id of ['U-1', '-U-2']) await merchant.final(id);
  await merchant.pay(1, 'LARGE-1', { amount: '7250.00' });
  owner = await invited(stage, merchant.id, 'owner', 'Ana Souza');
  operator = await invited(stage, null, 'administrator', 'Olga Orlova');
});
after(() => stage.close());

describe('the pages in a browser', () => {
  it('every page of a merchant is accessible, fits its screen, and obeys its Content-Security-Policy', () =>
    assertSound(owner, {
      '/': 'Today',
      '/payouts': 'Payouts',
      [`/payouts/${merchant.id}/U-1`]: /1,340\.50 UAH/,
      [`/payouts/${merchant.id}/LARGE-1`]: /7,250\.00 UAH/,
      [`/payouts/${merchant.id}/NONE`]: /No such path or object/,
      '/new-payout?method=93': 'New payout',
      '/batches': 'Batches',
      '/charts?days=7': 'Charts',
      '/deposits': 'Deposits',
      '/callbacks': 'Callbacks',
      '/requests': 'Requests',
      '/balances': 'Balances',
      '/approvals': 'Approvals',
      '/settings': 'Settings',
      '/policies': 'Approval rules',
      '/developers': 'Developers',
      '/team': 'Team',
      '/audit': 'Audit log',
      '/account': 'Your account',
    }));

  it('the pages of a merchant in Ukrainian and Kazakh are accessible, and fit their screen', async () => {
    try {
      for (const [language, name, headings] of IN_OTHER_LANGUAGES) {
        await owner.goto('/');
        await arrive(owner, /./);
        await owner.page.getByRole('button', { name: 'Ana Souza' }).click();
        await owner.page.getByRole('button', { name }).click();
        const pages = Object.entries(headings).slice(0, process.env['TEST_FULL'] ? undefined : 1);
        const own = pages.map(([path, heading]) => [path.replace('M1', merchant.id), heading] as const);
        await assertSound(owner, Object.fromEntries(own), `${language}-`);
        assert.equal(await owner.page.locator('html').getAttribute('lang'), language);
      }
    } finally {
      // Later tests expect English, even if this test fails.
      await owner.page.evaluate(`localStorage.setItem('language', 'en')`);
    }
  });

  it('every page of the operator is accessible, fits its screen, and obeys its Content-Security-Policy', () =>
    assertSound(operator, {
      '/today': 'Today',
      '/payouts?state=blocked': 'Payouts',
      '/held?state=held': 'Held money',
      '/merchants': 'Merchants',
      [`/balances/${merchant.id}`]: /Balances/,
      [`/settings/${merchant.id}`]: /Settings/,
      [`/developers/${merchant.id}`]: /Developers/,
    }));

  it('the pages of a visitor are accessible, fit their screen, and obey their Content-Security-Policy', async () => {
    const visitor = await stage.open();
    await assertSound(visitor, {
      '/sign-in': 'Sign in',
      [`/join#${'x'.repeat(43)}`]: 'Welcome',
      // Checked on a desktop only: another test checks this page on a phone.
      '/docs': 'Payment gateway',
    });
    await visitor.context.close();
  });

  it('the API reference shows each operation, object and payout method of this gateway', async () => {
    const answer = await fetch(`${stage.gateway.manageUrl}/docs`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.deepEqual([answer.status, /unsafe/.test(policy)], [200, false]);
    const page = await answer.text();
    const served = (await (await fetch(`${stage.gateway.manageUrl}/docs/gateway.json`)).json()) as typeof openapi;
    assert.deepEqual(served, openapi);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.matchAll(/href="(#[^"]*)"/g)].map(([, link = '']) => link);
    assert.deepEqual(
      links.filter((link) => !ids.has(link)),
      [],
    );
    const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
    const wanted = [
      ...operations.map(({ operationId }) => `#${operationId}`),
      ...Object.keys(openapi.components.schemas).map((name) => `#object-${name}`),
    ];
    assert.deepEqual(
      wanted.filter((id) => !ids.has(id)),
      [],
    );
    assert.match(page, /Method 1: Card UAH<\/a><\/td><td>UAH<\/td><td>yes</);
    assert.match(page, /Method 9: Card EUR<\/a><\/td><td>EUR<\/td><td>no provider</);
  });

  it('the API reference shows the merchant’s id to its signed-in users only', async () => {
    const referenceOf = async ({ page }: typeof owner) => {
      const before = page.url();
      await page.goto(new URL('/docs', before).href);
      return page.content().finally(() => page.goto(before));
    };
    const own = await referenceOf(owner);
    assert.ok(own.includes(`Your merchant id</dt><dd><code>${merchant.id}</code>`));
    assert.match(own, new RegExp(`"merchant": "${merchant.id}",[^}]*"sign": "\\(signed with your key\\)"`));
    assert.doesNotMatch(own, /Your API key/);
    assert.doesNotMatch(await referenceOf(operator), /Your merchant id/);
    assert.doesNotMatch(await (await fetch(`${stage.gateway.manageUrl}/docs`)).text(), /Your merchant id/);
  });

  it('the API reference of a signed-in user is accessible, and its search leads to a field', async () => {
    // All views have the same elements. Another test checks them on a desktop.
    const views = process.env['TEST_FULL'] ? ['/docs', '/docs#gateway', '/docs#callbacks', '/docs#objects'] : ['/docs'];
    await assertSound(owner, Object.fromEntries(views.map((view) => [view, 'Payment gateway'])));
    const { page } = owner;
    await page.getByLabel('Search').fill('neverthelessnothing');
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('Search').fill('customs_ifsc');
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/\/docs#object-Payout26$/);
    await owner.goto('/');
  });
});

describe('the work of people on the pages', () => {
  it('a user without a mouse returns to the page after a new sign-in', async () => {
    const { page } = owner;
    await owner.goto('/payouts?state=blocked');
    await pressAt(owner, page.getByRole('button', { name: 'Ana Souza' }));
    await tabTo(owner, page.getByRole('button', { name: 'Sign out' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await owner.goto(`/payouts/${merchant.id}/U-1`);
    await pressAt(owner, page.getByRole('button', { name: 'Sign in with a passkey' }));
    await arrive(owner, /1,340\.50 UAH/);
  });

  it('the signature doctor explains the mistake of a rejected request', async () => {
    const { page } = owner;
    const { sign, ...fields } = merchant.request(1, 'WRONG-1', {});
    const body = { ...fields, sign: Buffer.from(String(sign), 'base64').toString('hex') };
    await post(`${stage.gateway.url}/merchant/api/payout_send`, body);
    await until('the request is logged', async () => {
      const { rows } = await stage.gateway.database.pool.query(
        `select from logged_requests where reason = 'sign_error'`,
      );
      return rows.length > 0 ? true : undefined;
    });
    await owner.goto('/requests?outcome=unproven');
    await page.getByRole('cell', { name: 'Sign error' }).waitFor();
    await page.locator('tbody a').first().click();
    await arrive(owner, /Sign error/);
    await page.getByRole('main').getByRole('link', { name: 'Requests' }).waitFor();
    const request = page.getByLabel('Request', { exact: true }).locator('pre');
    assert.ok(await request.evaluate((its) => its.scrollWidth <= its.clientWidth), 'every byte is visible');
    await page.getByRole('button', { name: 'Check the signature' }).click();
    await page.getByText(/It is the hexadecimal digest itself/).waitFor();
  });

  it('a user finds a payment by its provider’s reference with only the keyboard', async () => {
    const { page } = owner;
    await owner.goto('/');
    await arrive(owner, 'Today');
    const { rows } = await stage.gateway.database.pool.query<{ reference: string }>(
      `select reference from rail_references where payout_id = 'U-1'`,
    );
    await page.keyboard.press('/');
    await page.keyboard.type(rows[0]?.reference ?? '');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await arrive(owner, /1,340\.50 UAH/);
  });

  it('a saved view restores its filters', async () => {
    const { page } = owner;
    await owner.goto('/payouts?state=success');
    await arrive(owner, 'Payouts');
    await page.getByLabel('View name').fill('Paid');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Paid', exact: true }).click();
    await page.waitForURL(/state=success/);
    assert.deepEqual([...(await owner.violations()), ...owner.offences], []);
    await page.getByRole('button', { name: 'Remove view: Paid' }).click();
    await page.getByRole('button', { name: 'Paid', exact: true }).waitFor({ state: 'detached' });
  });

  it('the key ? lists the keyboard shortcuts, with Shift or without it', async () => {
    const { page } = owner;
    for (const key of ['Shift+?', '?']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('a new payout appears in an open list without a reload', async () => {
    await owner.goto('/payouts');
    await arrive(owner, 'Payouts');
    await merchant.pay(1, 'LIVE-1', { amount: '12.00' });
    await owner.page.getByRole('link', { name: 'LIVE-1' }).waitFor();
  });

  it('an owner without a mouse approves a payout with the passkey, and the bank executes it', async () => {
    const { page } = owner;
    await owner.goto('/approvals');
    await pressAt(owner, page.getByRole('link', { name: 'LARGE-1' }));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    for (const expected of ['Approval by another user', 'The bank decides', 'Callback to the merchant'])
      await timeline.getByText(expected, { exact: true }).waitFor();
    await pressAt(owner, page.getByRole('button', { name: 'Approve' }));
    await pressAt(owner, page.getByRole('button', { name: 'Confirm with a passkey' }), 2);
    assert.equal((await merchant.final('LARGE-1'))['status'], 'Success');
    await page.getByText('Succeeded', { exact: true }).first().waitFor();
    assert.deepEqual(owner.offences, []);
  });

  it('the page of a payment shows the exact bytes of its request and of its callback', async () => {
    const { page } = owner;
    await owner.goto(`/payouts/${merchant.id}/U-1`);
    await arrive(owner, /1,340\.50 UAH/);
    for (const [panel, bytes] of [
      ['Request and response', /"payout_id":"U-1"/],
      ['Callbacks', /webhook-signature: v1,/],
    ] as const) {
      const region = page.getByRole('region', { name: panel });
      await region.getByText('Exact bytes').first().click();
      await region.getByText(bytes).first().waitFor();
    }
    assert.deepEqual(await owner.violations(), []);
    assert.deepEqual(owner.offences, []);
  });

  it('the page of a payment shows the requests to its provider to the operator, and not to the merchant', async () => {
    await operator.goto(`/payouts/${merchant.id}/U-1`);
    await operator.page.getByText('Requests and responses').first().click();
    await operator.page.getByText(/^send: /).waitFor();
    await operator.page.getByText(/^POST /).waitFor();
    await owner.goto(`/payouts/${merchant.id}/U-1`);
    await arrive(owner, /1,340\.50 UAH/);
    assert.equal(await owner.page.getByText('Exchanges with the provider').count(), 0);
  });

  it('a user resends a callback with only the keyboard', async () => {
    const { page } = owner;
    await owner.goto(`/payouts/${merchant.id}/U-1`);
    await arrive(owner, /1,340\.50 UAH/);
    await pressAt(owner, page.getByRole('region', { name: 'Callbacks' }).getByRole('link').first());
    await pressAt(owner, page.getByRole('button', { name: 'Resend' }));
    await pressAt(owner, page.getByRole('dialog').getByRole('button', { name: 'Resend' }));
    await page.getByText(/^2\. Accepted/).waitFor();
    await owner.goto('/developers');
    await pressAt(owner, page.getByRole('button', { name: 'Send a test: Deposit callback URL' }));
    await pressAt(owner, page.getByRole('dialog').getByRole('button', { name: 'Send a test' }));
    await page.getByText(/^1\. Accepted/).waitFor();
  });

  it('an owner undoes a change of a setting from its history', async () => {
    const { page } = owner;
    await owner.goto('/settings');
    await arrive(owner, 'Settings');
    await page.getByRole('button', { name: 'Change: check_inn' }).click();
    await page.getByRole('dialog').getByLabel('Value').selectOption('on');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await page.getByRole('button', { name: 'Undo: check_inn' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('button', { name: 'Undo: check_inn' }).nth(1).waitFor();
    assert.equal((await stage.gateway.operations.merchants.find(merchant.id))?.merchant.settings.check_inn, 'off');
    assert.deepEqual(owner.offences, []);
  });

  it('an owner sees the payment page’s look while changing it, and saves it', async () => {
    const { page } = owner;
    await owner.goto('/settings');
    await arrive(owner, 'Settings');
    const preview = page.getByRole('figure', { name: 'Preview: light' });
    await page.getByLabel('Name shown to payers').fill('Nova Books');
    await page.getByLabel('Colour').fill('#ffd400');
    // The palette closes when its field loses the focus. Until then it covers the buttons below.
    await page.getByLabel('Colour').press('Tab');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
    const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
    await page.locator('input[type="file"]').setInputFiles(logo);
    await preview.getByText('Nova Books').waitFor();
    await preview.locator('img').waitFor();
    const colour = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".brand-head")).backgroundColor',
    );
    assert.equal(colour, 'rgb(255, 212, 0)');
    await page.getByRole('button', { name: 'Save branding' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('button', { name: 'Undo: brand_color' }).waitFor();
    const saved = (await stage.gateway.operations.merchants.find(merchant.id))?.merchant.settings;
    assert.deepEqual(
      [saved?.display_name, saved?.brand_color, saved?.logo?.body.toString()],
      ['Nova Books', '#ffd400', svg],
    );
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByRole('button', { name: 'Save branding' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(owner.offences, []);
  });

  it('an owner without a mouse rotates the API key with the passkey, and sees it once', async () => {
    const { page } = owner;
    await owner.goto('/developers');
    await pressAt(owner, page.getByRole('button', { name: 'New API key' }));
    await pressAt(owner, page.getByRole('button', { name: 'Confirm with a passkey' }));
    const key = (await page.getByRole('alert').locator('pre').textContent()) ?? '';
    await page.reload();
    await arrive(owner, 'Developers');
    assert.ok(key.length >= 20, key);
    assert.equal(await page.getByText(key).count(), 0);
  });

  it('an operator user who views a merchant cannot change anything there', async () => {
    const { page } = operator;
    await operator.goto(`/settings/${merchant.id}`);
    await page.getByRole('button', { name: 'View as the merchant' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('a question about a payout');
    await page.getByRole('dialog').getByRole('button', { name: 'View as the merchant' }).dblclick();
    await arrive(operator, 'Today');
    await assertSound(operator, { '/payouts': 'Payouts' });
    assert.equal(await page.getByRole('link', { name: 'New payout' }).count(), 0);
    await page.getByRole('button', { name: 'Leave' }).click();
    await arrive(operator, `Settings · ${merchant.id}`);
    const views = `select from audit_entries where act = 'session.viewAs' and phase = 'done' and merchant_id = $1`;
    assert.equal((await stage.gateway.database.pool.query(views, [merchant.id])).rowCount, 1);
  });

  it('two users without a mouse change the callback URL: one proposes it, and the other’s passkey approves it', async () => {
    const { pool } = stage.gateway.database;
    const { page } = owner;
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Confirm with a passkey' });
    await owner.goto('/policies');
    await pressAt(owner, page.getByRole('button', { name: 'Add a rule' }));
    await tabTo(owner, dialog.getByLabel('Act'));
    await page.keyboard.type('merchants.edit');
    await typeInto(owner, dialog.getByLabel('Reason'), 'settings need two people');
    await pressAt(owner, dialog.getByRole('button', { name: 'Preview' }));
    await dialog.getByRole('row', { name: 'items.0.act – merchants.edit' }).waitFor();
    assert.deepEqual(await owner.violations(), []);
    await pressAt(owner, confirm, 2);
    await page.getByRole('button', { name: 'Remove: merchants.edit' }).waitFor();
    await owner.goto('/settings');
    await arrive(owner, 'Settings');
    await pressAt(owner, page.getByRole('button', { name: 'Change: Deposit callback URL' }));
    await typeInto(owner, dialog.getByLabel('Value'), 'https://shop.example/new');
    await pressAt(owner, confirm, 2);
    await pressAt(owner, page.getByRole('link', { name: 'View proposal' }));
    await arrive(owner, 'Change the settings');
    await page.getByRole('row', { name: /processUrl .* https:\/\/shop\.example\/new/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
    const address = async () => (await stage.gateway.operations.merchants.find(merchant.id))?.merchant.processUrl;
    assert.notEqual(await address(), 'https://shop.example/new');
    const approver = await invited(stage, merchant.id, 'approver', 'Omar Aziz');
    await approver.goto('/approvals');
    await arrive(approver, 'Approvals');
    await pressAt(approver, approver.page.getByRole('link', { name: 'Change the settings' }));
    await arrive(approver, 'Change the settings');
    await assertSound(approver, { [new URL(approver.page.url()).pathname]: 'Change the settings' });
    await pressAt(approver, approver.page.getByRole('button', { name: 'Approve' }));
    const approval = approver.page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' });
    await pressAt(approver, approval, 2);
    await approver.page.getByText('Executed', { exact: true }).waitFor();
    assert.equal(await address(), 'https://shop.example/new');
    assert.deepEqual([...owner.offences, ...approver.offences], []);
    await pool.query('delete from policies where team = $1', [merchant.id]);
    await approver.context.close();
  });
});
