import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPayoutBench, type PayoutBench } from '../../../../test/support/payouts/stored-payouts.ts';
import { countTransactions } from '../../../../test/support/postgres/counted-transactions.ts';
import { balanceOf } from '../../../domain/ledger/transfer.ts';
import type { PostgresPayoutStore } from '../payout-store.ts';
import { acceptOnOneServer, createAcceptAtOnce } from './accept-at-once.ts';
import { acceptPayouts, serializePayout } from './accept-payouts.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.verifyAndClose());

async function eur(merchantId: string, account: 'available' | 'reserved'): Promise<bigint> {
  return balanceOf(await bench.ledger.balances(merchantId, 'EUR'), account);
}

describe('acceptance of payouts', () => {
  it('a hundred concurrent copies of one payout over two stores create one payout', async () => {
    await bench.fund('same', 1_000n);
    const stores = [bench.store, bench.anotherStore()];
    const payouts = await Promise.all(Array.from({ length: 100 }, () => bench.newPayout('same', 'A1', 700n)));
    const outcomes = await Promise.all(payouts.map((payout, index) => stores[index % 2]?.accept(payout)));
    assert.equal(outcomes.filter((outcome) => outcome?.kind === 'created').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome?.kind === 'exists').length, 99);
    assert.equal(await eur('same', 'available'), 300n);
    assert.equal(await eur('same', 'reserved'), 700n);
  });

  it('exactly one of fifty concurrent payouts over two stores is accepted when the balance covers one', async () => {
    await bench.fund('race', 199n);
    const stores = [bench.store, bench.anotherStore()];
    const payouts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => bench.newPayout('race', `R${index}`, 100n)),
    );
    const outcomes = await Promise.all(payouts.map((payout, index) => stores[index % 2]?.accept(payout)));
    assert.equal(outcomes.filter((outcome) => outcome?.kind === 'created').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome?.kind === 'insufficient_funds').length, 49);
    assert.equal(await eur('race', 'available'), 99n);
  });

  it('a small payout is accepted although an earlier payout of its batch exceeds the balance', async () => {
    await bench.fund('small', 100n);
    const [large, small] = [await bench.newPayout('small', 'L', 150n), await bench.newPayout('small', 'S', 50n)];
    const outcomes = await Promise.all([bench.store.accept(large), bench.store.accept(small)]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['insufficient_funds', 'created'],
    );
  });

  it('an idempotent repeat does not reduce the balance for the rest of its batch', async () => {
    await bench.fund('beside', 300n);
    await bench.store.accept(await bench.newPayout('beside', 'first', 200n));
    const [again, next] = [
      await bench.newPayout('beside', 'first', 200n),
      await bench.newPayout('beside', 'next', 100n),
    ];
    const outcomes = await Promise.all([bench.store.accept(again), bench.store.accept(next)]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['exists', 'created'],
    );
  });

  it('a payout is rejected while its merchant has a debt in that currency', async () => {
    await bench.fund('indebted', 1_000n);
    await bench.fund('indebted', 1_000n, 'UAH');
    await bench.fund('solvent', 1_000n);
    const uah = async (payoutId: string) =>
      bench.newPayout('indebted', payoutId, 10n, { money: { currency: 'UAH', minor: 10n } });
    // From here on all accounts exist, so the statement that checks balances itself decides.
    for (const payout of [await bench.newPayout('indebted', 'A', 100n), await uah('B')])
      assert.deepEqual(await bench.store.accept(payout), { kind: 'created' });
    await bench.owner.query(
      `insert into ledger_accounts values ('indebted', 'EUR', 'owed', -1), ('indebted', 'EUR', 'clearing:x', 1);
       insert into ledger_transfers values ('indebted', 'planted', 1, 'owed', 'EUR', 'owed', 'clearing:x', 1, null, now())`,
    );
    const batch = [
      await bench.newPayout('indebted', 'C', 1n),
      await bench.newPayout('solvent', 'D', 1n),
      await uah('E'),
      await bench.newPayout('indebted', 'F', 1n),
    ];
    const outcomes = await acceptPayouts(
      bench.database,
      batch.map(serializePayout),
      createAcceptAtOnce((rows) => acceptOnOneServer(bench.database, rows)),
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['insufficient_funds', 'created', 'created', 'insufficient_funds'],
    );
    await bench.fund('indebted', 1n);
    assert.deepEqual(await bench.store.accept(await bench.newPayout('indebted', 'G', 1n)), { kind: 'created' });
  });

  it('a payout that would exceed the largest ledger balance is rejected without its batch', async () => {
    await bench.fund('vast', 2n ** 63n - 100n, 'TST');
    await bench.fund('beside-vast', 10n);
    const money = { currency: 'TST', minor: 100n } as const;
    const outcomes = await Promise.all([
      bench.store.accept(await bench.newPayout('vast', 'V', 100n, { money })),
      bench.store.accept(await bench.newPayout('beside-vast', 'P', 10n)),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['insufficient_funds', 'created'],
    );
  });

  it('a payout over the largest balance is rejected without a second run of its batch when all accounts exist', async () => {
    await bench.fund('vaster', 2n ** 63n - 300n, 'TST');
    await bench.fund('beside-vaster', 10n);
    const take = async (payoutId: string, minor: bigint) =>
      bench.newPayout('vaster', payoutId, minor, { money: { currency: 'TST', minor } });
    assert.deepEqual(await bench.store.accept(await take('V1', 100n)), { kind: 'created' });
    const items = [await take('V2', 201n), await bench.newPayout('beside-vaster', 'P', 10n)];
    const outcomes = await acceptPayouts(
      bench.database,
      items.map(serializePayout),
      createAcceptAtOnce((rows) => acceptOnOneServer(bench.database, rows)),
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['insufficient_funds', 'created'],
    );
  });

  it('two stores that accept payouts of many merchants in opposite orders do not deadlock', async () => {
    const merchants = Array.from({ length: 40 }, (_, index) => `cross${index}`);
    for (const merchant of merchants) await bench.fund(merchant, 1_000n);
    const sendAll = async (store: PostgresPayoutStore, order: string[], prefix: string) =>
      Promise.all(order.map(async (merchant) => store.accept(await bench.newPayout(merchant, prefix, 10n))));
    const other = bench.anotherStore();
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([
        sendAll(bench.store, merchants, `a${round}`),
        sendAll(other, merchants.toReversed(), `b${round}`),
      ]);
      assert.ok(both.flat().every(({ kind }) => kind === 'created'));
    }
  });

  it('two stores that accept one payout id concurrently do not deadlock', async () => {
    await bench.fund('circle', 1_000n);
    const other = bench.anotherStore();
    for (let round = 0; round < 60; round++) {
      const payout = await bench.newPayout('circle', `P${round}`, 1n);
      const large = await bench.newPayout('circle', `L${round}`, 1_000_000n);
      const beside = Promise.all([other.accept(large), other.accept(payout)]);
      await sleep(round % 6);
      const [outcome, [refused, same]] = await Promise.all([bench.store.accept(payout), beside]);
      assert.deepEqual([outcome.kind, same.kind].sort(), ['created', 'exists']);
      assert.equal(refused.kind, 'insufficient_funds');
    }
  });

  it('a payout id rejected for a short balance is accepted when a later payout of that id is affordable', async () => {
    await bench.fund('smaller', 100n);
    const amounts = [500n, 60n, 60n];
    const payouts = await Promise.all(amounts.map((amount) => bench.newPayout('smaller', 'A', amount)));
    const outcomes = await Promise.all(payouts.map((payout) => bench.store.accept(payout)));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['insufficient_funds', 'created', 'exists'],
    );
    assert.equal(await eur('smaller', 'available'), 40n);
  });

  it('a batch with many unaffordable payouts under few ids takes two transactions', async () => {
    await bench.fund('poor', 50n);
    const dear = Array.from({ length: 40 }, (_, index) => 1_000n - BigInt(index));
    const never = await Promise.all(dear.map((amount) => bench.newPayout('poor', 'never', amount)));
    const once = await Promise.all([...dear, 50n].map((amount) => bench.newPayout('poor', 'once', amount)));
    const counting = countTransactions(bench.database);
    const outcomes = await acceptPayouts(
      counting,
      [...never, ...once].map(serializePayout),
      createAcceptAtOnce((rows) => acceptOnOneServer(counting, rows)),
    );
    const kinds = outcomes.map(({ kind }) => kind);
    assert.deepEqual(new Set(kinds.slice(0, never.length)), new Set(['insufficient_funds']));
    assert.equal(kinds.at(-1), 'created');
    assert.equal(counting.begun(), 2);
    assert.equal(await eur('poor', 'reserved'), 50n);
  });

  it('the gateway’s role cannot change or delete posted transfers', async () => {
    await assert.rejects(bench.database.query('update ledger_transfers set amount = 1'), /permission denied/);
    await assert.rejects(bench.database.query('delete from ledger_transfers'), /permission denied/);
    await assert.rejects(bench.database.query('delete from payouts'), /permission denied/);
  });
});
