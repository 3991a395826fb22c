/**
 * Questions of the portal's users, with the demo's history: each must be answered within three clicks and thirty seconds. A
 * screenshot of each result is for human review.
 */
import { after, before, describe, it } from 'node:test';
import { leaveProposal } from '../../../../demo/src/history/leave-proposal.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { inventHistory, untilCounted } from '../stage/demo-history.ts';
import { openPortalStage, type PortalStage } from '../stage/portal-stage.ts';
import { Askers, button, link, nothing, type Question } from './questions.ts';

let stage: PortalStage;
let database: TestDatabase;
let askers: Askers;
let merchantId: string;

async function textOf(sql: string): Promise<string> {
  const { rows } = await database.pool.query<Readonly<Record<string, string>>>(sql);
  return Object.values(rows[0] ?? {})[0] ?? '';
}

const QUESTIONS: readonly Question[] = [
  { of: 'merchant', role: 'finance', asks: 'Is all well?', walk: nothing, answer: 'Needs your attention' },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Where is this payout?',
    walk: async (person) =>
      person.find(await textOf(`select payout_id from payouts where merchant_id = '${merchantId}' limit 1`)),
    answer: 'Timeline',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Why is the balance this sum?',
    async walk(person) {
      await person.menu('Balances');
      await person.click(person.visitor.page.getByRole('table', { name: 'Balances' }).getByRole('link').first());
    },
    answer: 'Movements',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Which payments changed the balance since last week?',
    async walk(person) {
      await person.menu('Balances');
      const { page } = person.visitor;
      const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000).toISOString();
      await page.getByLabel('Balances as of').fill(lastWeek.slice(0, 'YYYY-MM-DDTHH:mm'.length));
      await person.click(link(person, /since then/));
    },
    answer: 'Movements',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'What did this month’s statement add up to?',
    walk: (person) => person.menu('Balances'),
    answer: 'Download PDF',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Why did a payout fail?',
    async walk(person) {
      await person.menu('Payouts');
      const state = person.visitor.page.getByLabel('State');
      await person.click(state);
      await state.selectOption('blocked');
      await person.firstWith('Payouts', 'Blocked');
    },
    answer: /^5\d · /,
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'Who paid this order, and what was the fee?',
    async walk(person) {
      await person.menu('Deposits');
      await person.first('Deposits');
    },
    answer: 'Received',
  },
  {
    of: 'merchant',
    role: 'finance',
    asks: 'How do I pay many people?',
    async walk(person) {
      await person.menu('Batches');
      await person.click(button(person, 'Upload a file'));
    },
    answer: 'The gateway checks each row first. Nothing is paid before you submit the batch.',
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
    asks: 'What am I signing?',
    async walk(person) {
      await person.click(link(person, /^Payouts awaiting approval/));
      await person.first('Approvals');
      await person.click(button(person, 'Approve'));
    },
    answer: /^1,250\.00 EUR · 555555\*{6}4444 · Weber Druck GmbH\. .*passkey signs exactly/,
  },
  {
    of: 'merchant',
    role: 'developer',
    asks: 'Why was my request rejected?',
    async walk(person) {
      await person.menu('Requests');
      // The log also contains a sample of the accepted requests, which may be the newest.
      await person.firstWith('Requests', 'Rejected');
    },
    answer: 'Reason',
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
    asks: 'Is my old key still used?',
    walk: (person) => person.menu('Developers'),
    answer: 'Signing keys',
  },
  {
    of: 'merchant',
    role: 'developer',
    asks: 'How long is a payout approved?',
    async walk(person) {
      await person.menu('Settings');
      await person.visitor.page.getByLabel('Find a setting').fill('approval');
    },
    answer: 'approval_hours',
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
    answer: 'Payout to approve',
  },
  {
    of: 'operator',
    role: 'support',
    asks: 'Which payment has this order?',
    walk: async (person) => person.find(await textOf(`select order_id from deposits where state = 'success' limit 1`)),
    answer: 'Timeline',
  },
  {
    of: 'operator',
    role: 'support',
    asks: 'Which payout has this reference of a bank?',
    walk: async (person) => person.find(await textOf('select reference from rail_references limit 1')),
    answer: 'Timeline',
  },
  {
    of: 'operator',
    role: 'support',
    asks: 'Which payment has this reference of a provider?',
    walk: async (person) =>
      person.find(
        await textOf(`select provider_reference from payment_attempts where provider_reference <> '' limit 1`),
      ),
    answer: 'Timeline',
  },
  {
    of: 'operator',
    role: 'support',
    asks: 'What does the merchant see?',
    async walk(person) {
      await person.menu('Merchants');
      await person.first('Merchants');
      await person.click(button(person, 'View as the merchant'));
    },
    answer: 'The merchant’s audit log records it.',
  },
  {
    of: 'operator',
    role: 'operations',
    asks: 'Can the callback go out again?',
    async walk(person) {
      await person.menu('Callbacks');
      await person.first('Callbacks');
      await person.click(button(person, 'Resend'));
    },
    answer: 'The gateway resends the callback now, with a new retry schedule.',
  },
  {
    of: 'operator',
    role: 'treasury',
    asks: 'How long does the money at this rail last?',
    async walk(person) {
      await person.menu('Rails');
      await person.click(link(person, 'sandbox'));
    },
    answer: /Prefunded balances|no prefunded balance/,
  },
  {
    of: 'operator',
    role: 'treasury',
    asks: 'Which day is wrong, and why?',
    async walk(person) {
      await person.menu('Reconciliation');
      await person.click(person.visitor.page.getByRole('table').last().getByRole('link').first());
    },
    answer: 'Provider record',
  },
  {
    of: 'operator',
    role: 'operations',
    asks: 'Whose money is it?',
    walk: (person) => person.click(link(person, /^Decide/)),
    answer: 'Possible orders',
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
    role: 'administrator',
    asks: 'Where would payouts go under another route?',
    async walk(person) {
      await person.menu('Routes');
      await person.click(button(person, 'Add a route'));
    },
    answer: 'Preview',
  },
  {
    of: 'operator',
    role: 'administrator',
    asks: 'What would this action do?',
    walk: (person) => person.click(link(person, /^Review: Add money/)),
    answer: 'Expected effects',
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
    role: 'auditor',
    asks: 'Who did what?',
    walk: (person) => person.menu('Audit log'),
    answer: 'What changed',
  },
  {
    of: 'operator',
    role: 'auditor',
    asks: 'Which actions need approval?',
    walk: (person) => person.menu('Approval rules'),
    answer: /^An action that a rule covers becomes a proposal/,
  },
  {
    of: 'operator',
    role: 'operations',
    asks: 'Is the machine all right?',
    walk: (person) => person.menu('Operations'),
    answer: /Processes/i,
  },
];

describe('the questions of the people who work with the pages', () => {
  before(async () => {
    database = await createTestDatabase();
    merchantId = await inventHistory(database);
    stage = await openPortalStage({}, database);
    await leaveProposal(stage.gateway.operations, stage.gateway.manageUrl, merchantId);
    await untilCounted(database);
    askers = new Askers(stage, merchantId);
  });
  after(async () => {
    await stage.close();
    await database.close();
  });

  for (const [place, question] of QUESTIONS.entries())
    it(`the ${question.of}’s ${question.role} finds the answer in three clicks: ${question.asks}`, (context) =>
      askers.ask(question, `question-${place}`, context));
});
