/** Payouts that merchant users enter or upload, and how users sign in, on the pages in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { until } from '../../support/tools/until.ts';
import { pressAt, tabTo, typeInto } from '../stage/keyboard.ts';
import { arrive, assertSound } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

let stage: PortalStage;
let merchant: TestMerchant;
let owner: Visitor;

before(async () => {
  stage = await openPortalStage();
  merchant = await stage.gateway.merchant({ settings: { 'approval_above.UAH': '5000.00' } });
  owner = await invited(stage, merchant.id, 'owner', 'Ana Souza');
});
after(() => stage.close());

async function payouts(): Promise<number> {
  const { rows } = await stage.gateway.database.pool.query<{ count: string }>('select count(*) from payouts');
  return Number(rows[0]?.count);
}

describe('the pages of payouts that people create', () => {
  it('a payout is checked while someone types it, and a double confirmation sends it once', async () => {
    const { page } = owner;
    await owner.goto('/payouts');
    await page.getByRole('link', { name: 'New payout' }).click();
    await page.getByRole('combobox', { name: 'Method' }).selectOption('1');
    await page.getByLabel('Card number').fill('4111 1111 1111 1112');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('7000');
    await page.getByText('The format is invalid.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send the payout' }).isDisabled());
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByText('This payout requires another user’s approval').waitFor();
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('12.50');
    await page.getByText('This payout requires another user’s approval').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Cost' }).getByText('wayforpay').waitFor();
    await page.getByRole('button', { name: 'Send the payout' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await arrive(owner, /12\.50 UAH/);
    assert.equal(await payouts(), 1);
    assert.deepEqual(owner.offences, []);
  });

  it('a search of the audit log by action finds the user who created a payout', async () => {
    const { page } = owner;
    await owner.goto('/audit');
    await arrive(owner, 'Audit log');
    assert.equal(await page.getByLabel('Merchant', { exact: true }).count(), 0, 'a merchant has one merchant');
    await page.getByLabel('Action', { exact: true }).selectOption('Create a payout');
    await page.waitForURL(/act=payouts\.create/);
    const row = page.getByRole('row', { name: /Create a payout/ });
    await row.first().getByRole('link', { name: 'owner@example.com' }).waitFor();
    assert.equal(await page.getByRole('row', { name: /Sign-in/ }).count(), 0);
  });

  it('the balances page shows the opening and closing balance, and the movements since an earlier time with their signs', async () => {
    const { page } = owner;
    await owner.goto('/balances');
    await arrive(owner, 'Balances');
    const balance = page.getByRole('row', { name: /^UAH/ });
    const statement = page.getByRole('region', { name: /^Statement/ });
    await statement.getByLabel('Currency').selectOption('UAH');
    await statement.getByText('Opening balance: 0.00 UAH').waitFor();
    await statement.getByText(`Closing balance: ${await balance.getByRole('cell').last().innerText()}`).waitFor();
    await page.getByLabel('Balances as of').fill('2020-01-01T00:00');
    await balance
      .getByRole('link', { name: /since then/ })
      .first()
      .click();
    await page.getByRole('cell', { name: '−12.50 UAH' }).waitFor();
    assert.deepEqual([...(await owner.violations()), ...owner.offences], []);
  });

  it('Home counts the callbacks that a failing server has not accepted, and their list shows when the next attempt follows', async () => {
    const { page } = owner;
    const { pool } = stage.gateway.database;
    const lane = `update callback_lanes set failures = $2, paused_until = now() + $3::interval where merchant_id = $1`;
    await until('a callback is delivered', async () => {
      await pool.query(lane, [merchant.id, 7, '1 hour']);
      const { rowCount } = await pool.query(
        `update callbacks set state = 'due', finished_at = null, due_at = now() where merchant_id = $1 and state = 'delivered'`,
        [merchant.id],
      );
      return rowCount || undefined;
    });
    await owner.goto('/');
    await page.getByRole('link', { name: /^Callbacks that your server has not accepted yet: \d+$/ }).click();
    await page.getByText("the merchant's server, which failed 7 times in a row").waitFor();
    assert.deepEqual([...(await owner.violations()), ...owner.offences], []);
    await pool.query(lane, [merchant.id, 0, '0 seconds']);
  });

  // The core run covers approval without a mouse with a different payout.
  if (process.env['TEST_FULL'])
    it('two users without a mouse propose and approve a payout, and the bank executes it', async () => {
      const { page } = owner;
      await owner.goto('/new-payout');
      const method = page.getByRole('combobox', { name: 'Method' });
      await tabTo(owner, method);
      for (let presses = 0; presses < 30 && (await method.inputValue()) !== '1'; presses++)
        await page.keyboard.press('ArrowDown');
      await typeInto(owner, page.getByLabel('Card number'), '4111111111111111');
      await typeInto(owner, page.getByRole('textbox', { name: 'Amount', exact: true }), '7300');
      await page.getByText('This payout requires another user’s approval').waitFor();
      await pressAt(owner, page.getByRole('button', { name: 'Send the payout' }));
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' });
      await pressAt(owner, confirm, 2);
      await arrive(owner, /7,300\.00 UAH/);
      const approver = await invited(stage, merchant.id, 'approver', 'Omar Aziz');
      await approver.goto('/approvals');
      await arrive(approver, 'Approvals');
      await approver.page.keyboard.press('j');
      await approver.page.keyboard.press('Enter');
      await arrive(approver, /7,300\.00 UAH/);
      await pressAt(approver, approver.page.getByRole('button', { name: 'Approve' }));
      await pressAt(
        approver,
        approver.page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }),
        2,
      );
      await page.getByText('Succeeded', { exact: true }).first().waitFor();
      assert.deepEqual([...owner.offences, ...approver.offences], []);
      await approver.context.close();
    });

  it('the page of a CSV batch shows each invalid row with its reason, and a submission pays each valid row once', async () => {
    const { page } = owner;
    await owner.goto('/batches');
    const lines = [
      'B-1,1,4111111111111111,10.00,UAH',
      'B-2,1,4111111111111112,11.00,UAH',
      'B-3,1,4111111111111111,12.00,UAH',
    ];
    const buffer = Buffer.from(['payout_id,method,account,amount,currency', ...lines].join('\n'));
    await page.getByRole('button', { name: 'Upload a file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Salaries');
    await dialog.getByLabel('CSV file').setInputFiles({ name: 'salaries.csv', mimeType: 'text/csv', buffer });
    await dialog.getByRole('button', { name: 'Upload a file' }).dblclick();
    await arrive(owner, 'Salaries');
    const rows = page.getByRole('table', { name: 'Rows' });
    await rows
      .getByRole('row', { name: /Invalid/ })
      .getByText('account is missing or has an invalid format')
      .waitFor();
    await assertSound(owner, { [new URL(page.url()).pathname]: 'Salaries' });
    const afterwards = page.getByRole('columnheader', { name: 'Available afterwards' });
    await afterwards.waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByLabel('Skip invalid rows: 1').check();
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await page.getByText('Finished', { exact: true }).waitFor();
    await afterwards.waitFor({ state: 'detached' });
    await rows.getByRole('link', { name: 'B-3' }).waitFor();
    await rows.getByText('Succeeded').first().waitFor();
    await page.getByRole('link', { name: 'Payouts →' }).click();
    await arrive(owner, 'Payouts');
    await page.getByRole('link', { name: 'B-1', exact: true }).waitFor();
    assert.equal(await page.getByRole('table', { name: 'Payouts' }).getByRole('link').count(), 2, 'only its payouts');
    const { rows: paid } = await stage.gateway.database.pool.query<{ payout_id: string }>(
      `select payout_id from payouts where payout_id like 'B-%' order by payout_id`,
    );
    assert.deepEqual(
      paid.map(({ payout_id }) => payout_id),
      ['B-1', 'B-3'],
    );
    assert.deepEqual(owner.offences, []);
  });
});

async function signOut({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

// Every walk registers a first passkey.
if (process.env['TEST_FULL'])
  describe('the ways to sign in to the portal', () => {
    it('a user without their passkey signs in with a recovery code, and adds a passkey on another device', async () => {
      const confirm = owner.page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' });
      await owner.goto('/account');
      await owner.page.getByRole('button', { name: 'Create ten codes' }).click();
      await confirm.click();
      const codes = (await owner.page.locator('pre').textContent()) ?? '';
      const { page, ...other } = await stage.open();
      await other.goto('/sign-in');
      await page.getByText('Other sign-in methods').click();
      const form = page.locator('details');
      await form.getByLabel('Email address').fill('owner@example.com');
      await form.getByLabel('Recovery code').fill(codes.split('\n')[0] ?? '');
      assert.deepEqual(await other.violations(), []);
      await form.getByRole('button', { name: 'Sign in with a recovery code' }).click();
      await arrive({ page, ...other }, 'Your account');
      await page.getByLabel('Device name').fill('New laptop');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await arrive({ page, ...other }, 'Today');
      assert.deepEqual(other.offences, []);
      await other.context.close();
    });

    it('a user sets a password with an authenticator app, and signs in with both', async () => {
      const { page } = owner;
      await owner.goto('/account');
      await page.getByRole('button', { name: 'Set a password' }).click();
      const link = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href');
      await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
      const secret = new URL(link ?? '').searchParams.get('secret') ?? '';
      const totp = new TOTP({ secret });
      await page.getByRole('button', { name: 'Set a password' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New password').fill('correct horse battery');
      await dialog.getByLabel('First code from the app').fill(totp.generate());
      await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await page.getByRole('button', { name: 'Remove the password' }).waitFor();
      await assertSound(owner, { '/account': 'Your account' });
      await signOut(owner, 'Ana Souza');
      await page.getByLabel('Email address').first().fill('owner@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      // A code is accepted once, so use the code of the next half minute, which the gateway also accepts.
      await page.getByLabel('Code from your authenticator app').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await arrive(owner, 'Today');
      assert.deepEqual(owner.offences, []);
    });

    it('a user with an account accepts another role with it, and can act in both roles', async () => {
      const { page } = owner;
      const second = await stage.gateway.merchant();
      const order = { email: 'owner@example.com', merchantId: second.id, role: 'viewer' };
      const invitation = await stage.gateway.operations.people.invite(order);
      assert.ok(invitation.ok);
      await page.goto(invitation.value.link.reveal());
      await page.getByText('Ana Souza · owner@example.com').waitFor();
      assert.deepEqual(await owner.violations(), []);
      await page.getByRole('button', { name: 'Join' }).click();
      await arrive(owner, 'Today');
      await page.getByRole('button', { name: 'Ana Souza' }).click();
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: `Switch to ${merchant.id} (Owner)` }).click();
      await loaded;
      await arrive(owner, 'Today');
      await owner.goto('/team');
      await page.getByRole('button', { name: 'Invite' }).waitFor();
      assert.deepEqual(owner.offences, []);
    });
  });
