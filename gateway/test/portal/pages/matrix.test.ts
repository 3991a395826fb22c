/**
 * Every page with every role that may see it, in every language, on a phone and a desktop, light and dark, with the demo’s
 * history. Each role is a separate test, so that `--grep` can run one role.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { leaveProposal } from '../../../../demo/src/history/leave-proposal.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { type Endpoint, permissionsOf } from '../../../contract/parts/endpoint.ts';
import { MERCHANT_ROLES, OPERATOR_ROLES, type Permission, type Role } from '../../../contract/permissions.ts';
import { PAGE_ROOTS } from '../../../contract/portal-page.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { inventHistory, untilCounted } from '../stage/demo-history.ts';
import { arrive, faultsOfPages, type SeenContents } from '../stage/page-checks.ts';
import { invited, openPortalStage, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

/** The permission that a page needs, or null. */
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
  '/batches/{merchant}': 'payouts:read',
  '/new-payout/{merchant}': 'payouts:create',
  '/team/{merchant}': 'people:read',
};
/** Pages that are linked only from other pages, like all pages of objects. */
const NOT_IN_MENU = ['/account', '/recovery'];

/** Finds the page of an object in the history, preferably one of the demo’s merchant ($1). */
function pageOf(list: string, id: string, which: string): string {
  return `select '/${list}/' || merchant_id || '/' || ${id} from ${list} where ${which} order by merchant_id = $1 desc limit 1`;
}

/** The objects whose pages are checked, with the permission that each needs. */
const OBJECTS: Readonly<Record<string, Permission>> = {
  [pageOf('payouts', 'payout_id', "state = 'success'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "state = 'pending'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "state = 'blocked'")]: 'payouts:read',
  [pageOf('payouts', 'payout_id', "purpose = 'refund'")]: 'payouts:read',
  [pageOf('deposits', 'order_id', "state = 'success'")]: 'deposits:read',
  [pageOf('deposits', 'order_id', "state = 'fail'")]: 'deposits:read',
  [pageOf('callbacks', 'callback_id', "state <> 'delivered'")]: 'callbacks:read',
  [pageOf('callbacks', 'callback_id', "state = 'delivered'")]: 'callbacks:read',
  [pageOf('logged_requests', 'request_id', "outcome = 'unproven'").replace('/logged_', '/')]: 'requests:read',
  [`select '/batches/' || merchant_id || '/' || batch_id from payout_batches where merchant_id = $1 limit 1`]:
    'payouts:read',
  [`select '/proposals/' || proposal_id from proposals order by team = $1 desc limit 1`]: 'proposals:read',
};

const OBJECTS_OF_OPERATOR: Readonly<Record<string, Permission>> = {
  [`select '/held/' || rail || '/' || replace(transfer_key, '/', '%2F') from incoming_transfers
    where state = 'held' and $1 <> '' limit 1`]: 'deposits:read',
  [`select '/differences/' || rail || '/' || day || '/' || kind || '/' || replace(subject, '/', '%2F') from differences
    where $1 <> '' limit 1`]: 'reconciliation:read',
};

let stage: PortalStage;
let database: TestDatabase;
let merchantId: string;
let ofMerchant: PageTable;
let ofOperator: PageTable;

async function pathsOf(objects: Readonly<Record<string, Permission>>): Promise<PageTable> {
  const found = Object.entries(objects).map(async ([sql, permission]) => {
    const { rows } = await database.pool.query<Readonly<Record<string, string>>>(sql, [merchantId]);
    assert.ok(rows.length > 0, `The history has none: ${sql}`);
    return rows.map((row) => [Object.values(row)[0] ?? '', permission] as const);
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

async function addObjects(): Promise<void> {
  const own = ([path, permission]: [string, Permission | null]) => [path.replace('{merchant}', merchantId), permission];
  const objects = await pathsOf(OBJECTS);
  ofMerchant = { ...OF_MERCHANT, ...objects };
  const named = Object.fromEntries(Object.entries(OF_OPERATOR).map(own)) as PageTable;
  ofOperator = { ...named, ...objects, ...(await pathsOf(OBJECTS_OF_OPERATOR)) };
}

/** Returns the pages that the role may see, and those that it may not: from its own table, and operator-only pages. */
function pagesFor({ permissions }: Role, isOfMerchant: boolean): { seen: string[]; hidden: string[] } {
  const table = isOfMerchant ? ofMerchant : ofOperator;
  const seen = Object.keys(table).filter((path) => {
    const permission = table[path] ?? null;
    return permission === null || permissions.includes(permission);
  });
  // A merchant user who types these URLs sees their own figures and transfers.
  const isOfBoth = (path: string) => /^\/(?:today|held)/.test(path) || path.includes(merchantId);
  const others = isOfMerchant ? Object.keys(ofOperator).filter((path) => !isOfBoth(path)) : [];
  const hidden = new Set([...Object.keys(table), ...others].filter((path) => !seen.includes(path)));
  return { seen, hidden: [...hidden] };
}

const anyHeading = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, /./]));

/** Returns the buttons of actions that the role may not perform. */
async function forbiddenButtons({ page }: Visitor, { permissions }: Role): Promise<string[]> {
  const acts = await page.evaluate<(keyof typeof ENDPOINTS)[]>(
    `[...document.querySelectorAll('[data-act]')].map(({ dataset }) => dataset.act)`,
  );
  const may = (act: keyof typeof ENDPOINTS) => {
    const needed = permissionsOf(ENDPOINTS[act] as Endpoint);
    return needed.length === 0 || needed.some((permission) => permissions.includes(permission));
  };
  return acts.filter((act) => !may(act)).map((act) => `offers ${act}`);
}

/** Checks that a page which the user may not see says so and shows nothing else. */
async function silence({ page }: Visitor): Promise<string[]> {
  const alerts = await page.locator('main [role=alert]').count();
  return alerts > 0 ? [] : [`says nothing: ${(await page.locator('main').innerText()).slice(0, 200)}`];
}

/** Asserts that the menu contains exactly the pages that the role may see. */
async function assertMenu(visitor: Visitor, seen: readonly string[]): Promise<void> {
  await visitor.goto('/account');
  await arrive(visitor, /./);
  const links = await visitor.page.evaluate<string[]>(
    `[...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))`,
  );
  const wanted = seen.filter((path) => /^\/[a-z]*(?:\?state=held)?$/.test(path) && !NOT_IN_MENU.includes(path));
  assert.deepEqual([...links].sort(), wanted.sort());
}

async function inLanguage(visitor: Visitor, language: string): Promise<void> {
  await visitor.page.evaluate(`localStorage.setItem('language', '${language}')`);
}

/** Roles share most contents. Each content is checked once, with the first role that shows it. */
const seenContents: SeenContents = new Set();

async function lookAt(role: string, own: Role, isOfMerchant: boolean): Promise<void> {
  const visitor = await invited(stage, isOfMerchant ? merchantId : null, role, 'Dana Lind');
  const pages = pagesFor(own, isOfMerchant);
  const wrong: Record<string, unknown> = {};
  const note = (name: string, faults: Readonly<Record<string, readonly string[]>>) => {
    if (Object.keys(faults).length > 0) wrong[name] = faults;
  };
  try {
    await assertMenu(visitor, pages.seen);
    const hidden = anyHeading(pages.hidden);
    note('hidden', await faultsOfPages(visitor, hidden, `hidden-${role}-`, seenContents, () => silence(visitor)));
    for (const language of isOfMerchant ? ['en', 'uk', 'kk'] : ['en']) {
      await inLanguage(visitor, language);
      const prefix = `matrix-${role}-${language}-`;
      const buttons = () => forbiddenButtons(visitor, own);
      note(language, await faultsOfPages(visitor, anyHeading(pages.seen), prefix, seenContents, buttons));
    }
  } finally {
    await visitor.context.close();
  }
  assert.deepEqual(wrong, {});
}

it('the matrix contains each page of the portal', () => {
  const paths = [...Object.keys({ ...OF_MERCHANT, ...OF_OPERATOR }), ...Object.keys(OBJECTS)];
  // Other tests check these pages in every run.
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
      await addObjects();
    });
    after(async () => {
      await stage.close();
      await database.close();
    });

    for (const [role, own] of Object.entries(OPERATOR_ROLES))
      it(`every page of the operator’s ${role} passes the checks in every size and colour scheme`, () =>
        lookAt(role, own, false));
    for (const [role, own] of Object.entries(MERCHANT_ROLES))
      it(`every page of a merchant’s ${role} passes the checks in every language, size and colour scheme`, () =>
        lookAt(role, own, true));
  });
