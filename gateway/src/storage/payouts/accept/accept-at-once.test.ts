import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../../test/support/payouts/stored-payouts.ts';
import type { NewPayout } from '../../../domain/payouts/payout-store.ts';
import { planSettlement } from '../../../domain/payouts/plan-settlement.ts';
import type { Database } from '../../core/database.ts';
import { acceptOnOneServer, createAcceptAtOnce } from './accept-at-once.ts';
import { acceptPayouts, serializePayout } from './accept-payouts.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.verifyAndClose());

const TABLES = ['payouts', 'payout_jobs', 'payout_history', 'vault_records', 'ledger_transfers', 'ledger_accounts'];

/** Every row of a merchant, without its names, its numbers, its transaction and the seal, which covers its names. */
async function rowsOf(merchantId: string): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const table of TABLES) {
    const found = await bench.owner.query(
      `select to_jsonb(t) - '{merchant_id,transaction_id,written_by,seal}'::text[] as row from ${table} as t
       where merchant_id = $1 order by to_jsonb(t)::text`,
      [merchantId],
    );
    rows[table] = found.rows.filter(({ row }) => row.kind !== 'funding');
  }
  return rows;
}

async function sealedPayout(merchantId: string, payoutId: string): Promise<NewPayout> {
  const beneficiary = {
    accountShown: '411111******1111',
    fields: { name: 'José "Pepe" \\ O’Hara' },
    vaultToken: 'token',
  };
  const payout = await bench.newPayout(merchantId, payoutId, 100n, { fee: 3n, beneficiary });
  const sealed = { masterKeyId: 'k1', wrappedKey: Buffer.from('wrapped'), ciphertext: Buffer.from('\\"secret') };
  return { ...payout, vaultRecord: { merchantId, token: 'token', sealed } };
}

/** Merchants with money, whose accounts all exist. */
async function openAccounts(...merchants: readonly string[]): Promise<void> {
  for (const merchantId of merchants) {
    await bench.fund(merchantId, 1_000n);
    assert.deepEqual(await bench.store.accept(await bench.newPayout(merchantId, 'first', 10n)), { kind: 'created' });
  }
}

/** The names of the prepared statements that ran through it. */
function recordNames(database: Database): Database & { readonly names: string[] } {
  const names: string[] = [];
  return {
    ...database,
    names,
    prepared(name, text, values) {
      names.push(name);
      return database.prepared(name, text, values);
    },
  };
}

describe('acceptance in one statement', () => {
  it('acceptance in one statement writes the same rows as acceptance in several statements', async () => {
    await openAccounts('quick', 'careful');
    const accept = createAcceptAtOnce((rows) => acceptOnOneServer(bench.database, rows));
    const [quick, careful] = [await sealedPayout('quick', 'P'), await sealedPayout('careful', 'P')];
    assert.equal(await accept([serializePayout(quick)]), true);
    const outcomes = await acceptPayouts(bench.database, [serializePayout(careful)], async () => false);
    assert.deepEqual(outcomes, [{ kind: 'created' }]);
    assert.deepEqual(await rowsOf('quick'), await rowsOf('careful'));
  });

  it('acceptance in one statement adds up the changes of an account that several payouts of a batch change', async () => {
    await openAccounts('summed', 'summed-too');
    const payouts = await Promise.all(
      ['A', 'B', 'C', 'D'].map((id, at) => bench.newPayout(at % 2 ? 'summed' : 'summed-too', id, 100n, { fee: 5n })),
    );
    assert.equal(
      await createAcceptAtOnce((rows) => acceptOnOneServer(bench.database, rows))(payouts.map(serializePayout)),
      true,
    );
    for (const merchantId of ['summed', 'summed-too'])
      assert.deepEqual(
        await bench.ledger.balances(merchantId, 'EUR').then(({ available, reserved }) => [available, reserved]),
        [780n, 220n],
      );
  });

  const UNUSUAL: Readonly<Record<string, (merchantId: string) => Promise<NewPayout>>> = {
    'exceeds the balance': (merchantId) => bench.newPayout(merchantId, 'bad', 991n),
    'exists already': (merchantId) => bench.newPayout(merchantId, 'first', 10n),
    'is the first of its currency': (merchantId) =>
      bench.newPayout(merchantId, 'bad', 1n, { money: { currency: 'UAH', minor: 1n } }),
    'is of a merchant with a debt': async (merchantId) => {
      await bench.owner.query(
        `insert into ledger_accounts values ($1, 'EUR', 'owed', -1), ($1, 'EUR', 'clearing:x', 1)`,
        [merchantId],
      );
      await bench.owner.query(
        `insert into ledger_transfers values ($1, 'planted', 1, 'owed', 'EUR', 'owed', 'clearing:x', 1, null, now())`,
        [merchantId],
      );
      return bench.newPayout(merchantId, 'bad', 1n);
    },
    'would exceed the largest balance': async (merchantId) => {
      await bench.fund(merchantId, 2n ** 63n - 300n, 'TST');
      const money = (minor: bigint) => ({ money: { currency: 'TST', minor } }) as const;
      assert.deepEqual(await bench.store.accept(await bench.newPayout(merchantId, 'large', 200n, money(200n))), {
        kind: 'created',
      });
      return bench.newPayout(merchantId, 'bad', 200n, money(200n));
    },
    'a person must approve': async (merchantId) => ({
      ...(await bench.newPayout(merchantId, 'bad', 1n)),
      approval: { by: bench.clock.now() + 1, why: ['policy'] },
    }),
  };
  for (const [name, makeBad] of Object.entries(UNUSUAL)) {
    it(`acceptance in one statement does not write anything of a batch that contains a payout that ${name}`, async () => {
      const [bad, good] = [`bad ${name}`.replaceAll(' ', '-'), `good ${name}`.replaceAll(' ', '-')];
      await openAccounts(bad, good);
      const unusual = await makeBad(bad);
      const before = [await rowsOf(bad), await rowsOf(good)];
      const batch = [await bench.newPayout(good, 'good', 10n), unusual].map(serializePayout);
      assert.equal(await createAcceptAtOnce((rows) => acceptOnOneServer(bench.database, rows))(batch), false);
      assert.deepEqual([await rowsOf(bad), await rowsOf(good)], before);
    });
  }

  it('after a failure, single-statement acceptance is skipped for eight batches', async () => {
    await openAccounts('short', 'beside');
    const database = recordNames(bench.database);
    const accept = createAcceptAtOnce((rows) => acceptOnOneServer(database, rows));
    const batchOf = async (at: number, amount: bigint) =>
      [await bench.newPayout('short', `S${at}`, amount), await bench.newPayout('beside', `B${at}`, 1n)].map(
        serializePayout,
      );
    for (let at = 0; at < 27; at++) {
      const outcomes = await acceptPayouts(database, await batchOf(at, 5_000n), accept);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['insufficient_funds', 'created'],
      );
    }
    const tried = () => database.names.flatMap((name, at) => (name === 'accept-at-once' ? [at] : [])).length;
    // The first, then after eight others, then after sixteen.
    assert.equal(tried(), 3);
    for (let at = 27; at < 27 + 33; at++) await acceptPayouts(database, await batchOf(at, 1n), accept);
    assert.equal(database.names.at(-1), 'accept-at-once');
  });

  it('acceptance in one statement does not deadlock with settlements and with acceptances in another order', async () => {
    const merchants = Array.from({ length: 12 }, (_, at) => `ring${at}`);
    await openAccounts(...merchants);
    for (const merchantId of merchants) await bench.attempt(merchantId, 'first');
    const other = bench.anotherStore();
    const plan = (merchantId: string) => (facts: Parameters<typeof planSettlement>[0]) =>
      planSettlement(facts, reportOf('executed'), { merchant: merchantNamed(merchantId), compose: plainCallbacks });
    const settling = merchants.map((merchantId) =>
      other.settle({ merchantId, payoutId: 'first', fence: null, plan: plan(merchantId) }),
    );
    for (let round = 0; round < 6; round++) {
      const accept = async (store: typeof other, order: readonly string[], name: string) =>
        Promise.all(
          order.map(async (merchantId) => store.accept(await bench.newPayout(merchantId, `${name}${round}`, 1n))),
        );
      const outcomes = await Promise.all([
        accept(bench.store, merchants, 'a'),
        accept(other, merchants.toReversed(), 'b'),
      ]);
      assert.ok(outcomes.flat().every(({ kind }) => kind === 'created'));
    }
    assert.ok((await Promise.all(settling)).every(({ kind }) => kind === 'settled'));
  });
});
