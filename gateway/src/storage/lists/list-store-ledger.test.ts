import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import type { ListQuery, Place } from '../../domain/lists/list-store.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { createListStore } from './list-store.ts';

const AT = Date.UTC(2026, 10, 20);
const ALL = { merchantId: null, from: null, to: null, after: null, filters: {}, limit: 700 } as const;
/** More than one page checks, of a merchant whose transfers are half of all, over forty days with a gap. */
const TRANSFERS = 12_000;

let test: TestDatabase;
let database: Database;
before(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.config, { poolSize: 2 });
  await test.pool.query(
    `insert into ledger_transfers
     select case when n % 2 = 0 then 'large' when n % 40 = 1 then 'small' else 'other' || n % 7 end, 'payout/P' || n / 3 || '/reserve', n,
       case n % 5 when 0 then 'payout_fee' else 'payout' end, 'EUR', 'available', 'clearing:bank', 1 + n % 100, null,
       $1::timestamptz - n / 4 * interval '5 minutes' - case when n > 9000 then interval '30 days' else '0' end
     from generate_series(1, $2::integer) as n`,
    [new Date(AT).toISOString(), TRANSFERS],
  );
});
after(async () => {
  await database.close();
  await test.close();
});

async function readAll(change: Partial<ListQuery>): Promise<string[]> {
  const found: string[] = [];
  for (let after: Place | null = null; ; ) {
    const page = await createListStore(database).ledger({ ...ALL, ...change, after });
    assert.ok(page.items.length <= (change.limit ?? ALL.limit));
    found.push(...page.items.map(({ merchantId, journalId, line }) => `${merchantId} ${journalId} ${line}`));
    after = page.next;
    if (after === null) return found;
  }
}

async function inDatabase(condition: string): Promise<string[]> {
  const { rows } = await test.pool.query<{ name: string }>(
    `select merchant_id || ' ' || journal_id || ' ' || line as name from ledger_transfers where ${condition}
     order by posted_at desc, journal_id collate "C" desc, line desc, merchant_id collate "C" desc`,
  );
  return rows.map(({ name }) => name);
}

describe('the list of the ledger', () => {
  for (const [what, change, condition] of [
    ['all merchants', {}, 'true'],
    ['a merchant with more transfers than a page checks', { merchantId: 'large' }, `merchant_id = 'large'`],
    ['a merchant with few transfers', { merchantId: 'small', limit: 7 }, `merchant_id = 'small'`],
    [
      'a kind',
      { filters: { kind: 'payout_fee', minAmount: 50n, currency: 'EUR' } },
      `kind = 'payout_fee' and amount >= 50`,
    ],
    [
      'an account',
      { merchantId: 'large', filters: { account: 'clearing:bank', maxAmount: 3n } },
      `merchant_id = 'large' and amount <= 3`,
    ],
    [
      'a journal',
      { merchantId: 'large', filters: { journal: 'payout/P7/reserve' } },
      `merchant_id = 'large' and journal_id = 'payout/P7/reserve'`,
    ],
    [
      'a period',
      { from: AT - 40 * 3_600_000, to: AT - 20 * 3_600_000 },
      `posted_at >= '2026-11-18 08:00Z' and posted_at < '2026-11-19 04:00Z'`,
    ],
    ['an unknown account', { filters: { account: 'x' } }, 'false'],
  ] as const)
    it(`the ledger of ${what} is listed once and newest first over all pages`, async () => {
      const expected = await inDatabase(condition);
      assert.equal(expected.length > 0, condition !== 'false');
      assert.deepEqual(await readAll(change as Partial<ListQuery>), expected);
    });
});
