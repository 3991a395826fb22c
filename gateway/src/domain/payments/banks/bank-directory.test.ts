import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres/postgres.ts';
import { createManualClock, HOUR_MS, type ManualClock, MINUTE_MS } from '../../../foundation/clock.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type Database, openDatabase } from '../../../storage/core/database.ts';
import { createBankListStore } from '../../../storage/payments/banks/bank-list-store.ts';
import type { PayerBank } from '../payment-rail.ts';
import { type BankListingRail, createBankDirectory, findBankListingRail, NoBankList } from './bank-directory.ts';
import type { BankListStore } from './bank-list-store.ts';

let test: TestDatabase;
let database: Database;
let store: BankListStore;
let clock: ManualClock;
let says: Result<readonly PayerBank[], string>;
let asked = 0;

const rail: BankListingRail = {
  name: 'open-rail',
  async listBanks() {
    asked += 1;
    return says;
  },
};

before(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.config, { poolSize: 4 });
  store = createBankListStore(database);
});

beforeEach(async () => {
  clock = createManualClock(Date.UTC(2026, 10, 21, 12));
  asked = 0;
  says = ok([bank('b2', 'Banque Été'), bank('a1', 'Äpfelbank'), bank('c3', 'bank of c')]);
  await test.pool.query('truncate payer_bank_lists');
});

after(async () => {
  await database.close();
  await test.close();
});

function bank(bankId: string, name: string, country = 'DE', bic = ''): PayerBank {
  return { bankId, name, country, bic };
}

/** A process that has just started. */
const started = (over: BankListingRail | undefined = rail) => createBankDirectory({ rail: over, store, clock });
const ids = (banks: readonly PayerBank[]) => banks.map(({ bankId }) => bankId);

describe('the directory of banks', () => {
  it('the bank directory is empty until its first list, then contains the banks by name', async () => {
    const directory = started();
    assert.deepEqual(directory.banks(), []);
    await directory.refresh();
    assert.deepEqual(ids(directory.banks()), ['a1', 'c3', 'b2']);
  });

  it('the bank directory requests a list once an hour', async () => {
    const directory = started();
    await directory.refresh();
    const first = directory.banks();
    clock.advance(HOUR_MS - 1);
    await directory.refresh();
    assert.equal(asked, 1);
    assert.equal(directory.banks(), first);
    says = ok([bank('d4', 'New Bank')]);
    clock.advance(1);
    await directory.refresh();
    assert.equal(asked, 2);
    assert.deepEqual(ids(directory.banks()), ['d4']);
  });

  it('the bank directory keeps its list while the provider fails or lists no usable bank, then retries', async () => {
    const directory = started();
    await directory.refresh();
    const list = directory.banks();
    for (const bad of [fail('HTTP 503'), ok([]), ok([bank('not an id', 'X')])]) {
      clock.advance(HOUR_MS);
      says = bad;
      await assert.rejects(directory.refresh(), NoBankList);
      assert.equal(directory.banks(), list);
    }
    assert.equal(asked, 4);
  });

  it('a process that starts while the provider is down has the stored bank list', async () => {
    await started().refresh();
    says = fail('down');
    clock.advance(HOUR_MS);
    const restarted = started();
    await assert.rejects(restarted.refresh(), NoBankList);
    assert.deepEqual(ids(restarted.banks()), ['a1', 'c3', 'b2']);
  });

  it('processes share one bank list, and together request it once an hour', async () => {
    const [one, other] = [started(), started()];
    await one.refresh();
    clock.advance(MINUTE_MS);
    await other.refresh();
    assert.equal(asked, 1);
    assert.deepEqual(other.banks(), one.banks());
    clock.advance(HOUR_MS);
    says = ok([bank('d4', 'New Bank')]);
    await other.refresh();
    await one.refresh();
    assert.equal(asked, 2);
    assert.deepEqual(ids(one.banks()), ['d4']);
  });

  it('concurrent refreshes of the bank directory send one request to the provider', async () => {
    const directory = started();
    await Promise.all(Array.from({ length: 5 }, () => directory.refresh()));
    assert.equal(asked, 1);
  });

  it('an older bank list never replaces a newer list', async () => {
    await started().refresh();
    await store.keep(rail.name, { banks: [bank('old', 'Old')], listedAt: clock.now() - 1 });
    assert.deepEqual(ids((await store.find(rail.name))?.banks ?? []), ['a1', 'c3', 'b2']);
  });

  it('the bank directory leaves out unusable banks and cleans the displayed names', async () => {
    says = ok([
      bank('good', ' Bank\u202e of\u0000\r\n Good ', 'DE', 'COBADEFF'),
      bank('good', 'Its second row', 'DE'),
      bank('good', 'In another country', 'FR', 'not a bic'),
      bank('two words', 'No identifier'),
      bank('nameless', '\u200b '),
      bank('nowhere', 'Nowhere', 'Germany'),
    ]);
    const directory = started();
    await directory.refresh();
    assert.deepEqual(directory.banks(), [
      bank('good', 'Bank of Good', 'DE', 'COBADEFF'),
      bank('good', 'In another country', 'FR'),
    ]);
  });

  it('the bank directory is empty and does not send a request if no rail has banks', async () => {
    assert.equal(findBankListingRail([]), undefined);
    const directory = createBankDirectory({ rail: undefined, store, clock });
    await directory.refresh();
    assert.deepEqual([directory.isOffered, directory.banks()], [false, []]);
  });
});
