/**
 * The first run of an empty installation: the first administrator opens the printed link and completes each first step on the
 * pages.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { type BankUnderControl, startBank } from '../../support/rails/bank-under-control.ts';
import { arrive } from '../stage/page-checks.ts';
import { openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';
import { Askers, button, link, nothing, type Question } from './questions.ts';

const SCREENSHOTS = join(import.meta.dirname, '../screenshots');

let stage: PortalStage;
let database: TestDatabase;
let bank: BankUnderControl;
const variables: Record<string, string> = { WAYFORPAY_URL: '' };
let administrator: Visitor;
const printed: string[] = [];

const shot = (name: string) => administrator.page.screenshot({ path: join(SCREENSHOTS, `first-run-${name}.png`) });

/** Waits until the page shows this number of completed steps. */
async function stepsDone(count: number): Promise<void> {
  await administrator.goto('/');
  await administrator.page.getByLabel(`${count} of 5 steps are done`).waitFor({ state: 'attached' });
  await shot(`${count}-steps`);
}

const step = (name: string) =>
  administrator.page.getByRole('region', { name: 'First steps' }).getByRole('link', { name });

before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  database = await createTestDatabase();
  bank = await startBank(database.pool);
  stage = await openPortalStage(variables, database, (line) => void printed.push(line));
});
after(async () => {
  await stage.close();
  await bank.close();
  await database.close();
});

describe('the first run of an empty installation', () => {
  it('the first administrator joins by the printed link and arrives at the first steps', async () => {
    const [, link = ''] = /opens this link.*?(http\S+\/join#[\w-]+)/.exec(printed.join('\n')) ?? [];
    assert.ok(link, printed.join('\n'));
    administrator = await stage.open();
    const { page } = administrator;
    await page.goto(link);
    await page.getByLabel('Your name').fill('Olga Orlova');
    await page.getByLabel('Email address').fill('olga@example.com');
    await page.getByLabel('Device name').fill('Laptop');
    await page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
    await arrive(administrator, 'Inbox');
    await stepsDone(0);
  });

  it('inviting a second administrator completes the first step', async () => {
    const { page } = administrator;
    await step('Invite users').click();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('second@example.com');
    await page.getByRole('dialog').getByLabel('Role').selectOption('administrator');
    await page.getByRole('dialog').getByLabel('Reason').fill('Two administrators can restore each other’s access');
    await shot('invite');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByText('/join#').waitFor();
    await shot('invited');
    await stepsDone(1);
  });

  it('the page of the rails lists the missing variables of a provider', async () => {
    const { page } = administrator;
    await administrator.goto('/');
    await step('View rails').click();
    await arrive(administrator, /Rails/);
    await page.getByRole('link', { name: 'sandbox' }).waitFor();
    await page.getByText('Missing: WAYFORPAY_URL', { exact: true }).waitFor();
    await page.getByText('Variables of wayforpay').click();
    await page.getByRole('table', { name: 'Variables of wayforpay' }).waitFor();
    await shot('rails');
    variables['WAYFORPAY_URL'] = bank.url;
    await stage.restart(async () => {});
    await administrator.goto('/rails');
    await page.getByRole('button', { name: 'Test the connection: wayforpay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText(/Address: 127\.0\.0\.1:\d+ responds/).waitFor();
    await page.getByText('Credentials: the provider accepted a read request').waitFor();
    await shot('rail-tested');
    await stepsDone(2);
  });

  it('a merchant is created on its page, from which its first payout is created', async () => {
    const { page } = administrator;
    await step('Create a merchant').click();
    await page.getByRole('button', { name: 'New merchant' }).click();
    await page.getByLabel('Name').fill('Kappa Shop');
    await page.getByLabel('Deposit callback URL').fill(stage.gateway.receiver.url('KAPPA'));
    await shot('merchant');
    await page.getByRole('dialog').getByRole('button', { name: 'New merchant' }).click();
    await page.getByText('The keys of Kappa Shop.').waitFor();
    await shot('keys');
    await stepsDone(3);
  });

  it('a sandbox payout is sent from the portal, and its callback is seen', async () => {
    const { page } = administrator;
    await administrator.goto('/');
    await step('New payout').click();
    await page.getByRole('combobox', { name: 'Method' }).selectOption('70');
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('12.50');
    await shot('payout-form');
    await page.getByRole('button', { name: 'Send the payout' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' }).click();
    await arrive(administrator, /12\.50 TST/);
    await page.getByText('Callback accepted').waitFor();
    await shot('payout');
    await administrator.goto('/');
    await arrive(administrator, 'Inbox');
    await page.getByText('First steps').waitFor({ state: 'detached' });
    assert.deepEqual(administrator.offences, []);
  });
});

/** Returns the installation's only merchant and payout. */
async function onlyPayout(): Promise<{ merchantId: string; payoutId: string }> {
  const { rows } = await stage.gateway.database.pool.query(
    `select merchant_id as "merchantId", payout_id as "payoutId" from payouts`,
  );
  assert.equal(rows.length, 1);
  return rows[0];
}

const QUESTIONS: readonly Question[] = [
  { of: 'merchant', role: 'finance', asks: 'Is all well?', walk: nothing, answer: 'Needs your attention' },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Where is this payout?',
    walk: async (person) => person.find((await onlyPayout()).payoutId),
    answer: 'Paid by the bank',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Why is the balance this sum?',
    walk: (person) => person.menu('Balances'),
    answer: 'Download PDF',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'How do I pay one person?',
    async walk(person) {
      await person.menu('Payouts');
      await person.click(link(person, 'New payout'));
    },
    answer: /^Method/,
  },
  {
    of: 'merchant',
    role: 'approver',
    asks: 'What am I to sign?',
    walk: (person) => person.menu('Approvals'),
    answer: /^You have nothing/,
  },
  {
    of: 'merchant',
    role: 'developer',
    asks: 'Did my server hear of it?',
    async walk(person) {
      await person.menu('Callbacks');
      await person.first('Callbacks');
    },
    answer: 'Delivery attempts',
  },
  {
    of: 'merchant',
    role: 'developer',
    asks: 'How do I integrate?',
    walk: (person) => person.menu('Developers'),
    answer: 'Signing keys',
  },
  {
    of: 'merchant',
    role: 'owner',
    asks: 'Who may do what?',
    walk: (person) => person.menu('Team'),
    answer: 'What each role can do',
  },
  {
    of: 'operator',
    role: 'support',
    asks: 'What needs a person?',
    walk: nothing,
    answer: 'Nothing to review.',
  },
  {
    of: 'operator',
    role: 'treasury',
    asks: 'Is this merchant sound?',
    async walk(person) {
      await person.menu('Merchants');
      await person.first('Merchants');
    },
    answer: 'Payments today',
  },
  {
    of: 'operator',
    role: 'treasury',
    asks: 'How long does the money at this rail last?',
    async walk(person) {
      await person.menu('Rails');
      await person.click(link(person, 'sandbox'));
    },
    answer: /no prefunded balance/,
  },
  {
    of: 'operator',
    role: 'treasury',
    asks: 'Are the books right?',
    async walk(person) {
      await person.menu('Ledger');
      await person.click(button(person, /^Check now/));
    },
    answer: 'Holds',
  },
  {
    of: 'operator',
    role: 'auditor',
    asks: 'Who did what?',
    walk: (person) => person.menu('Audit log'),
    answer: 'What changed',
  },
];

describe('the questions of people in a new installation', () => {
  let askers: Askers;
  before(async () => {
    askers = new Askers(stage, (await onlyPayout()).merchantId);
  });

  for (const [place, question] of QUESTIONS.entries())
    it(`the ${question.of}’s ${question.role} finds the answer in three clicks: ${question.asks}`, (context) =>
      askers.ask(question, `first-question-${place}`, context));
});
