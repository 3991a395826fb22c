import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayerBank, PaymentRail } from '../../domain/payments/payment-rail.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { errorBodyFor } from '../../protocol/error-envelopes.ts';
import { createHttpServer } from '../../protocol/http/http-server.ts';
import { BANK_LIST_PATH } from '../../protocol/open-banking/bank-list-routes.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { serveBankList } from './serve-bank-list.ts';

const BANKS: readonly PayerBank[] = [{ bankId: 'b1', name: 'Bank', country: 'DE', bic: '' }];

let test: TestDatabase;
let database: Database;
const clock = createManualClock(0);

before(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.config, { poolSize: 2 });
});
after(async () => {
  await database.close();
  await test.close();
});

/** Starts an API process whose provider gives this response to a request for its banks. */
async function serve(says: Result<readonly PayerBank[], string>) {
  const rail: PaymentRail = {
    name: 'open-rail',
    paymentType: 'open_banking',
    currencies: new Set(['EUR']),
    simulated: true,
    timeoutMs: 1_000,
    notFoundProofMs: 1_000,
    askAfterMs: [1_000],
    concurrency: 1,
    validityMs: 1_000,
    decidesWithinMs: 1_000,
    newsNeedProviderReference: false,
    returnActs: false,
    target: null,
    needs: [],
    frameOrigins: [],
    start: () => assert.fail('nobody pays here'),
    handleReturn: () => assert.fail('nobody pays here'),
    ask: () => assert.fail('nobody pays here'),
    listBanks: async () => says,
  };
  const problems: string[] = [];
  const app = createHttpServer({
    errorBody: errorBodyFor,
    trustedProxies: [],
    onInternalError: (error) => assert.fail(String(error)),
  });
  const core = { rails: { paymentRails: [rail] }, database, clock };
  const banks = serveBankList(app, core, { onProblem: (problem) => void problems.push(problem) });
  await app.ready();
  const get = async () => (await app.inject(BANK_LIST_PATH)).statusCode;
  return { app, banks, problems, get };
}

describe('the bank list of an API process', () => {
  it('an API process without a bank list reports that, and still starts and stops', async () => {
    const { app, problems, get } = await serve(fail('HTTP 503'));
    await until('the problem is reported', () => problems.length > 0);
    assert.deepEqual(problems, ['periodic work failed: refresh the list of banks']);
    assert.equal(await get(), 503);
    await app.close();
  });

  it('an API process has the stored bank list while the provider is down', async () => {
    const first = await serve(ok(BANKS));
    await until('the list is there', async () => (await first.get()) === 200);
    await first.app.close();
    const second = await serve(fail('down'));
    await until('the list is there', async () => (await second.get()) === 200);
    assert.deepEqual(second.banks.banks(), BANKS);
    assert.deepEqual(second.problems, []);
    await second.app.close();
  });
});
