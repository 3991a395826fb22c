/** The pages of operator users in a real browser: tasks that need attention, and the actions that resolve them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { en } from '../../../../portal/src/words/en/en.ts';
import { MOST_CHECKED } from '../../../src/storage/lists/keyset-list.ts';
import { freePort } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { type StpUnderControl, startStpUnderControl } from '../../support/rails/stp-under-control.ts';
import { until } from '../../support/tools/until.ts';
import { pressAt, tabTo, typeInto } from '../stage/keyboard.ts';
import { arrive, assertSound } from '../stage/page-checks.ts';
import { acceptOnPage, invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

const OPEN = { rail: null, day: null, kind: null, openOnly: true } as const;
/** A reference wider than a phone's screen, like the references of some providers. */
const REFERENCE = 'REF-1-P0000000000000000000000000DE0';

let stage: PortalStage;
let stp: StpUnderControl;
let merchant: TestMerchant;
let operator: Visitor;
let differencePage: string;
let heldPage: string;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  stage = await openPortalStage({ ...stp.variables, PORT: String(port) });
  merchant = await stage.gateway.merchant({ settings: { 'approval_above.UAH': '5000.00' } });
  await merchant.pay(1, 'PAID-1', { amount: '1340.50' });
  await merchant.final('PAID-1');
  await merchant.pay(1, 'LARGE-1', { amount: '7250.00' });
  await hold('SHORT-1', '40.00');
  const { rail, transferKey } = await hold('SHORT-2', '70.00');
  heldPage = `/held/${rail}/${encodeURIComponent(transferKey)}`;
  await prepareTrouble();
  operator = await invited(stage, null, 'administrator', 'Olga Orlova');
});
after(async () => {
  await stp.close();
  await stage.close();
});

/** A payer pays a different amount than requested, so the money is held. */
async function hold(order: string, amount: string) {
  const { clabe } = await merchant.deposit(order);
  await stp.pay(clabe, { amount });
  return until(`the money of ${order} is held`, async () => {
    const held = await stage.gateway.operations.deposits.held(100);
    return held.find(({ payTo }) => payTo === clabe);
  });
}

/** Creates an abandoned callback, a low balance at a rail, and a payout that the provider does not have. */
async function prepareTrouble(): Promise<void> {
  const { database, operations } = stage.gateway;
  await until('a callback is delivered', async () => {
    const { rowCount } = await database.pool.query(
      `update callbacks set state = 'undelivered' where state = 'delivered'`,
    );
    return rowCount || undefined;
  });
  const rail = (await operations.rails.list()).find(({ methods }) => methods.includes(1))?.name ?? '';
  await operations.rails.setFloatThreshold(rail, 'UAH', 5_000_000n);
  await database.pool.query(`update rail_floats set amount = 1234567, read_at = now() where rail = $1`, [rail]);
  const today = new Date().toISOString().slice(0, 10);
  differencePage = `/differences/${rail}/${today}/missing_there/${REFERENCE}`;
  const difference = [rail, today, 'missing_there', REFERENCE, merchant.id, 'PAID-1'];
  await database.pool.query(
    `insert into differences (rail, day, kind, subject, merchant_id, payout_id, ours, theirs, found_at)
     values ($1, $2, $3, $4, $5, $6, 'executed, 1340.50 UAH', 'not on the list', now() - interval '2 days')`,
    difference,
  );
}

describe('the pages of the operator in a browser', () => {
  it('every page of the operator is accessible, fits its screen, and obeys its Content-Security-Policy', () =>
    assertSound(operator, {
      '/': 'Inbox',
      '/team': 'Team',
      [`/team/${merchant.id}`]: /Team/,
      '/tokens': 'API tokens',
      [`/merchants/${merchant.id}`]: new RegExp(merchant.id),
      '/rails': 'Rails',
      '/rails/wayforpay': 'wayforpay',
      '/rails/wayforpay/none': 'No such path or object',
      '/routes': 'Routes',
      '/operations': 'Operations',
      '/recovery': 'Recovery after a restore',
      '/ledger': 'Ledger',
      '/ledger/movements?account=available': 'Movements',
      '/differences': 'Reconciliation',
      [differencePage]: /Difference REF-1/,
      '/held?state=held': 'Held money',
      [heldPage]: /70\.00 MXN/,
    }));
});

/** Collects the matching URLs that the page requests from now on. */
function listReads({ page }: Visitor, address: RegExp): URL[] {
  const read: URL[] = [];
  page.on('request', (request) => {
    if (address.test(request.url())) read.push(new URL(request.url()));
  });
  return read;
}

describe('the reads of the pages before a user requests them', () => {
  it('the first page preloads the scripts of all menu pages, so that opening a page loads no script', async () => {
    const { page } = operator;
    const scripts = async () => {
      const names = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
      return new Set(names.filter((name) => name.endsWith('.js')));
    };
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    await until(
      'the last script is loaded',
      async () => [...(await scripts())].some((name) => name.includes('/ended-session-')) || undefined,
    );
    const before = await scripts();
    for (const name of ['Merchants', 'Rails', 'Team']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await arrive(operator, name);
    }
    assert.deepEqual(
      [...(await scripts())].filter((name) => !before.has(name)),
      [],
    );
  });

  it('an entry of the menu reads its list when the pointer or the focus reaches it', async () => {
    const { page } = operator;
    const linkOf = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    const read = listReads(operator, /\/manage\/v1\/(?:payouts|callbacks)\?limit=25$/);
    await linkOf('Payouts').hover();
    await until('the payouts are read', async () => read.length === 1 || undefined);
    await linkOf('Callbacks').focus();
    await until('the callbacks are read', async () => read.length === 2 || undefined);
    assert.deepEqual(
      read.map((url) => url.pathname),
      ['/manage/v1/payouts', '/manage/v1/callbacks'],
    );
    assert.equal(new URL(page.url()).pathname, '/');
  });

  it('a list without an index for its filter reads five pages, and more on request', async () => {
    const { page } = operator;
    // The fifth page does not reach the last row.
    await stage.gateway.database.pool.query(
      `insert into logged_requests (merchant_id, request_id, received_at, endpoint, outcome, reason, description, method,
         http_status, client_address, duration_ms, headers, request, request_bytes, reply)
       select 'm-many', 'r-' || place, now() - place * interval '1 s', 'balance', 'accepted', '', '', 'POST',
         200, '127.0.0.1', 1, '{}', '', 0, '' from generate_series(1, $1) as place`,
      [5.5 * MOST_CHECKED],
    );
    const read = listReads(operator, /\/manage\/v1\/requests\?/);
    await operator.goto('/requests?reason=of_none');
    const more = page.getByRole('button', { name: 'Show more' });
    await until('five pages are read', async () => (read.length === 5 && (await more.isEnabled())) || undefined);
    await more.click();
    await page.getByText(en.requests.empty).waitFor();
    assert.equal(read.length, 6);
    assert.equal(read.filter((url) => url.searchParams.has('after')).length, 5);
  });
});

/** Runs in the full run only, because other walks cover the shared parts. */
function inFullRun(name: string, walk: () => Promise<void>): void {
  if (process.env['TEST_FULL']) it(name, walk);
}

describe('the work of operator users on the pages', () => {
  it('the inbox has one row per open item, and its Resend button resends a merchant’s callbacks', async () => {
    const { page } = operator;
    await operator.goto('/');
    await arrive(operator, 'Inbox');
    await page.getByRole('button', { name: `Resend: ${merchant.id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).dblclick();
    await page.getByRole('button', { name: `Resend: ${merchant.id}` }).waitFor({ state: 'detached' });
    assert.deepEqual(operator.offences, []);
  });

  it('the operations page links to the waiting callbacks, not to the undelivered callbacks', async () => {
    await operator.goto('/operations');
    await operator.page.getByRole('link', { name: 'Callbacks that wait' }).click();
    await arrive(operator, 'Callbacks');
    assert.equal(await operator.page.getByLabel('State').inputValue(), 'due');
  });

  it('an export continues after its page was left, and its file can be downloaded then', async () => {
    const { page } = operator;
    await operator.goto('/payouts');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('link', { name: 'Callbacks' }).click();
    await arrive(operator, 'Callbacks');
    await page.getByText(/payouts\.csv · complete · 2 rows/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    assert.match(readFileSync(await (await download).path(), 'utf8'), /PAID-1.*\r\n/);
    await page.getByRole('button', { name: 'Close: payouts.csv' }).click();
    assert.deepEqual(operator.offences, []);
  });

  it('the undelivered callbacks of a filtered list are sent again after a preview, each once', async () => {
    const { page } = operator;
    const { pool } = stage.gateway.database;
    const of = `merchant_id = '${merchant.id}' and subject_id = 'PAID-1'`;
    await pool.query(`update callbacks set state = 'undelivered', due_at = null, finished_at = now() where ${of}`);
    await operator.goto(`/callbacks?merchantId=${merchant.id}&subjectId=PAID-1`);
    await page.getByRole('button', { name: 'Resend undelivered' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('To do: 1').waitFor();
    assert.deepEqual(await operator.violations(), []);
    await dialog.getByRole('button', { name: 'Resend undelivered (1)' }).dblclick();
    await dialog.getByText('Done: 1').waitFor();
    const resent = `select from audit_entries where act = 'callbacks.resend' and phase = 'done'`;
    assert.equal((await pool.query(resent)).rowCount, 1);
    assert.deepEqual(operator.offences, []);
  });

  it('an administrator without a mouse invites an owner, who joins by the link that is shown once', async () => {
    const { page } = operator;
    await operator.goto(`/team/${merchant.id}`);
    await pressAt(operator, page.getByRole('button', { name: 'Invite' }));
    const dialog = page.getByRole('dialog');
    await typeInto(operator, dialog.getByLabel('Email address'), 'ana@example.com');
    await tabTo(operator, dialog.getByLabel('Role'));
    await page.keyboard.type('Owner');
    await typeInto(operator, dialog.getByLabel('Reason'), 'the first person of the shop');
    await pressAt(operator, dialog.getByRole('button', { name: 'Confirm with a passkey' }), 2);
    const link = (await page.getByRole('alert').locator('pre').textContent()) ?? '';
    await page.getByRole('table', { name: 'Open invitations' }).getByText('ana@example.com').waitFor();
    const owner = await stage.open();
    await acceptOnPage(owner, link, 'Ana Souza');
    await page.getByRole('table', { name: 'People' }).getByText('Ana Souza').waitFor();
    await operator.page.getByRole('button', { name: 'End sessions: Ana Souza' }).click();
    await dialog.getByLabel('Reason').fill('a lost laptop');
    await dialog.getByRole('button', { name: 'End sessions' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await owner.context.close();
    assert.deepEqual(operator.offences, []);
  });

  inFullRun('an administrator issues a token, and it works until they revoke it', async () => {
    const { page } = operator;
    await operator.goto('/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Program').fill('Ledger export');
    await dialog.getByLabel('merchants:read').check();
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click();
    const token = (await page.getByRole('alert').locator('pre').textContent()) ?? '';
    const read = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${stage.gateway.manageUrl}/manage/v1/merchants`, { headers })).status;
    };
    assert.equal(await read(), 200);
    await page.getByRole('button', { name: 'Revoke: Ledger export' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    assert.equal(await read(), 401);
    assert.deepEqual(operator.offences, []);
  });

  inFullRun('a merchant is suspended and activated, and money is added to its balance after a preview', async () => {
    const { page } = operator;
    const dialog = page.getByRole('dialog');
    await operator.goto(`/settings/${merchant.id}`);
    for (const act of ['Suspend', 'Activate']) {
      await page.getByRole('button', { name: act }).click();
      await dialog.getByRole('button', { name: act }).dblclick();
    }
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await operator.goto(`/balances/${merchant.id}`);
    await page.getByRole('button', { name: 'Add money' }).click();
    await dialog.getByLabel('Amount').fill('250.00');
    await dialog.getByLabel('Currency').fill('UAH');
    await dialog.getByLabel('Your ID for this posting').fill('WIRE-7');
    await dialog.getByLabel('Reason').fill('a transfer of the merchant');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('table', { name: 'Balances afterwards' }).waitFor();
    assert.deepEqual(await operator.violations(), []);
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await operator.goto('/ledger');
    await page.getByRole('button', { name: 'Check now: Ledger invariants' }).click();
    await page.getByText(/All \d+ hold\. Checked \d\d:\d\d:\d\d$/).waitFor();
    assert.equal(await page.getByText('Violated').count(), 0);
    await page.getByText('Every check').click();
    await page.getByRole('table', { name: 'Ledger invariants' }).getByText('Holds').first().waitFor();
    assert.deepEqual(operator.offences, []);
  });

  inFullRun('an operator pauses a rail, and the paused payout continues when they resume it', async () => {
    const { page } = operator;
    await operator.goto('/rails');
    await page.getByRole('button', { name: 'Pause: Rail wayforpay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the bank announced a maintenance');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).dblclick();
    await page.getByText('Paused', { exact: true }).waitFor();
    await merchant.pay(1, 'WAITS-1', { amount: '15.00' });
    await page.getByRole('button', { name: 'Resume: Rail wayforpay' }).first().click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Up', { exact: true }).first().waitFor();
    assert.equal((await merchant.final('WAITS-1'))['status'], 'Success');
    assert.deepEqual(operator.offences, []);
  });

  inFullRun('a route is added, changed and removed with the passkey, and the picture follows', async () => {
    const { page } = operator;
    const { routes } = stage.gateway.operations;
    await operator.goto('/routes');
    const dialog = page.getByRole('dialog');
    const confirm = () => dialog.getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await page.getByRole('button', { name: 'Add a route' }).click();
    await dialog.getByLabel('Method and rail').selectOption('1/wayforpay');
    await dialog.getByLabel('Up to amount').fill('90000.00');
    await confirm();
    await page.getByRole('button', { name: 'Change: 1 · Card UAH → wayforpay' }).click();
    await dialog.getByLabel('Rank').fill('2');
    await confirm();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.routes path[data-rank="2"]:not([data-default])').waitFor();
    const [route] = (await routes.read()).routes;
    assert.deepEqual([route?.rank, route?.maxAmount], [2, 9_000_000n]);
    await page.getByRole('button', { name: 'Remove: 1 · Card UAH → wayforpay' }).click();
    await confirm();
    await page.getByText('There are no routes.').waitFor();
    assert.deepEqual((await routes.read()).routes, []);
    assert.deepEqual(operator.offences, []);
  });

  it('the page of a difference shows both sides and resolves it with its cause', async () => {
    const { page } = operator;
    await operator.goto('/differences');
    await page.getByRole('button', { name: /^wayforpay, .*: 1 open$/ }).click();
    await page.getByRole('link', { name: 'REF-1' }).click();
    await page.getByRole('region', { name: 'Ledger record' }).getByText('executed, 1340.50 UAH').waitFor();
    await page.getByRole('button', { name: 'Query the provider now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Query the provider now' }).click();
    await page.getByText(/^Current response: executed/).waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByLabel('Cause').fill('the list was read before midnight');
    await dialog.getByRole('button', { name: 'Resolve' }).dblclick();
    await page.getByText('Resolved by administrator@gateway.example').waitFor();
    assert.deepEqual(await stage.gateway.operations.differences.list(OPEN), []);
    assert.deepEqual(operator.offences, []);
  });

  it('a user without a mouse credits held money once', async () => {
    const { page } = operator;
    await operator.goto(heldPage);
    const candidate = page.getByRole('region', { name: 'SHORT-2' });
    await candidate.getByText('sent to its address').waitFor();
    await pressAt(operator, candidate.getByRole('button', { name: /Preview the journal/ }));
    await candidate.getByRole('table', { name: 'Journal' }).getByText('70.00').first().waitFor();
    assert.equal((await stage.gateway.operations.deposits.held(100)).length, 2);
    await pressAt(operator, candidate.getByRole('button', { name: 'Credit: SHORT-2' }));
    const dialog = page.getByRole('dialog');
    await typeInto(operator, dialog.getByLabel('Reason'), 'the shop accepts the part');
    await pressAt(operator, dialog.getByRole('button', { name: 'Preview' }));
    await dialog.getByRole('table', { name: 'Balances afterwards' }).waitFor();
    await pressAt(operator, dialog.getByRole('button', { name: 'Confirm with a passkey' }), 2);
    await page.getByText('Credited', { exact: true }).waitFor();
    const deposit = await stage.gateway.operations.deposits.find(merchant.id, 'SHORT-2');
    assert.equal(deposit?.deposit.state, 'success');
    assert.deepEqual(operator.offences, []);
  });

  inFullRun('held money is returned to its sender with the passkey', async () => {
    const { page } = operator;
    await operator.goto('/held?state=held');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Return to sender' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the payer asked for it');
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).dblclick();
    await page.getByRole('link', { name: 'Return payout' }).waitFor();
    assert.deepEqual(operator.offences, []);
  });
});
