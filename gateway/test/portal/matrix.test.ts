/**
 * Every page with every role that may see it, in every language, on a phone and a desktop, light and dark: over the demo’s
 * history. Each role is a separate test, so that `--grep` can run one role.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { leaveProposal } from '../../../demo/src/history/leave-proposal.ts';
import { MERCHANT_ROLES, OPERATOR_ROLES, type Permission, type Role } from '../../contract/permissions.ts';
import { PAGE_ROOTS } from '../../contract/portal-page.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { inventHistory, untilCounted } from './demo-history.ts';
import { faultsOfPages, type SeenContents } from './page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from './portal-stage.ts';

/** The permission that a page needs; null: none. */
type PageTable = Readonly<Record<string, Permission | null>>;

const OF_BOTH: PageTable = {
  '/': null,
  '/account': null,
  '/charts': 'ledger:read',
  '/payouts': 'payouts:read',
  '/payouts?state=blocked': 'payouts:read',
  '/deposits': 'deposits:read',
  '/approvals': 'payouts:read',
  '/callbacks': 'callbacks:read',
  '/requests': 'requests:read',
  '/team': 'people:read',
  '/policies': 'policies:read',
  '/tokens': 'tokens:read',
  '/audit': 'audit:read',
  '/ledger/movements': 'ledger:read',
};
const OF_MERCHANT: PageTable = {
  ...OF_BOTH,
  '/batches': 'payouts:read',
  '/new-payout': 'payouts:create',
  '/balances': 'ledger:read',
  '/developers': 'merchants:read',
  '/settings': 'merchants:read',
};
const OF_OPERATOR: PageTable = {
  ...OF_BOTH,
  '/today': null,
  '/held?state=held': 'deposits:read',
  '/rails': 'rails:read',
  '/rails/sandbox': 'rails:read',
  '/routes': 'rails:read',
  '/differences': 'reconciliation:read',
  '/ledger': 'ledger:read',
  '/operations': 'rails:read',
  '/recovery': 'recovery:read',
  '/merchants': 'merchants:read',
  '/merchants/{merchant}': 'merchants:read',
  '/settings/{merchant}': 'merchants:read',
  '/developers/{merchant}': 'merchants:read',
  '/balances/{merchant}': 'ledger:read',
  '/team/{merchant}': 'people:read',
};

/** Finds the page of an object of the history, if possible one of the demo’s merchant ($1). */
function pageOf(list: string, id: string, which: string): string {
  return `select '/${list}/' || merchant_id || '/' || ${id} from ${list} where ${which} order by merchant_id = $1 desc limit 1`;
}

/** The objects whose pages are looked at, with the permission that each needs. */
const OBJECTS: Readonly<Record<string, Permission>> = {
  [pageOf('payouts', 'payout_id', "state = 'success'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "state = 'pending'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "state = 'blocked'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "purpose = 'refund'")]: 'payouts:read',
  [pageOf('deposits', 'order_id', "state = 'success'")]: 'deposits:read',
  [pageOf('deposits', 'order_id', "state = 'fail'")]: 'deposits:read',
  [pageOf('callbacks', 'callback_id', "state = 'undelivered'")]: 'callbacks:read',
  [pageOf('logged_requests', 'request_id', "outcome = 'unproven'").replace('/logged_', '/')]: 'requests:read',
  [`select '/proposals/' || proposal_id from proposals order by team = $1 desc limit 1`]: 'proposals:read',
};

let stage: PortalStage;
let database: TestDatabase;
let merchantId: string;
let objects: PageTable;

async function pathsOfObjects(): Promise<PageTable> {
  const found = Object.entries(OBJECTS).map(async ([sql, permission]) => {
    const { rows } = await database.pool.query<Readonly<Record<string, string>>>(sql, [merchantId]);
    return rows.map((row) => [Object.values(row)[0] ?? '', permission] as const);
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

function pagesFor({ permissions }: Role, table: PageTable): Readonly<Record<string, RegExp>> {
  const may = ([, permission]: readonly [string, Permission | null]) =>
    permission === null || permissions.includes(permission);
  const seen = Object.entries(table).filter(may);
  return Object.fromEntries(seen.map(([path]) => [path.replace('{merchant}', merchantId), /./]));
}

async function inLanguage(visitor: Visitor, language: string): Promise<void> {
  await visitor.page.evaluate(`localStorage.setItem('language', '${language}')`);
}

/** Roles share most contents. Each is checked one time, with the first role that has it. */
const seen: SeenContents = new Set();

async function lookAt(role: string, own: Role, ofMerchant: boolean): Promise<void> {
  const visitor = await invited(stage, ofMerchant ? merchantId : null, role, 'Dana Lind');
  const pages = pagesFor(own, { ...(ofMerchant ? OF_MERCHANT : OF_OPERATOR), ...objects });
  const wrong: Record<string, unknown> = {};
  try {
    for (const language of ofMerchant ? ['en', 'uk', 'kk'] : ['en']) {
      await inLanguage(visitor, language);
      const faults = await faultsOfPages(visitor, pages, `matrix-${role}-${language}-`, seen);
      if (Object.keys(faults).length > 0) wrong[language] = faults;
    }
  } finally {
    await visitor.context.close();
  }
  assert.deepEqual(wrong, {});
}

it('the matrix contains each page of the portal', () => {
  const paths = [...Object.keys({ ...OF_MERCHANT, ...OF_OPERATOR }), ...Object.keys(OBJECTS)];
  // The tests of every run look at the pages of a visitor.
  const elsewhere = ['sign-in', 'join'];
  const missing = PAGE_ROOTS.filter((root) => !paths.some((path) => path.includes(`/${root}`)));
  assert.deepEqual(missing, elsewhere);
});

if (process.env['TEST_FULL'])
  describe('the matrix of pages', () => {
    before(async () => {
      database = await createTestDatabase();
      merchantId = await inventHistory(database);
      stage = await openPortalStage({}, database);
      await leaveProposal(stage.gateway.operations, stage.gateway.manageUrl, merchantId);
      await untilCounted(database);
      objects = await pathsOfObjects();
    });
    after(async () => {
      await stage.close();
      await database.close();
    });

    for (const [role, own] of Object.entries(OPERATOR_ROLES))
      it(`every page of the operator’s ${role} has no fault in any size and scheme`, () => lookAt(role, own, false));
    for (const [role, own] of Object.entries(MERCHANT_ROLES))
      it(`every page of a merchant’s ${role} has no fault in any language, size and scheme`, () =>
        lookAt(role, own, true));
  });
