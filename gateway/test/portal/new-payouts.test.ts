/** Payouts that a merchant’s people type or upload, on the pages in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestMerchant } from '../support/test-merchant.ts';
import { arrive, assertSound } from './page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from './portal-stage.ts';

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
  it('a payout is checked while somebody types it, and a double confirmation sends it once', async () => {
    const { page } = owner;
    await owner.goto('/payouts');
    await page.getByRole('link', { name: 'New payout' }).click();
    await page.getByRole('combobox', { name: 'Method' }).selectOption('1');
    await page.getByLabel('Card number').fill('4111 1111 1111 1112');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('7000');
    await page.getByText('This is not in its format.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send the payout' }).isDisabled());
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByText('It will wait for another person’s approval').waitFor();
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('12.50');
    await page.getByText('It will wait for another person’s approval').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'What it costs' }).getByText('wayforpay').waitFor();
    await page.getByRole('button', { name: 'Send the payout' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await arrive(owner, /12\.50 UAH/);
    assert.equal(await payouts(), 1);
    assert.deepEqual(owner.offences, []);
  });

  it('a CSV shows each row at fault with its reason, and a submission pays each other row once', async () => {
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
      .getByRole('row', { name: /Faulty/ })
      .getByText('account is missing or not in its format')
      .waitFor();
    await assertSound(owner, { [new URL(page.url()).pathname]: 'Salaries' });
    await page.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByLabel('Leave out the faulty rows: 1').check();
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await page.getByText('Finished', { exact: true }).waitFor();
    await rows.getByRole('link', { name: 'B-3' }).waitFor();
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
