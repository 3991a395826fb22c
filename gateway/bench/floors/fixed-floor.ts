/**
 * The fixed floor: a plain payment in four narrow tables, one per commit. It uses nothing of the gateway's schema. A change of
 * that schema therefore cannot affect it, and results of different commits can be compared.
 */
import type { SqlFloorOf } from './sql-floor.ts';

/** Enough accounts that no balance is a bottleneck. */
const ACCOUNTS = 1_000;

export const FIXED_FLOOR: SqlFloorOf = {
  name: 'fixed-one',
  prepare: [
    'create schema if not exists bench',
    'drop table if exists bench.payments, bench.entries, bench.balances, bench.messages',
    'create table bench.payments (payment bigint primary key, account integer, amount bigint, at timestamptz)',
    'create table bench.entries (payment bigint, line smallint, account integer, amount bigint, primary key (payment, line))',
    'create table bench.balances (account integer primary key, balance bigint check (balance >= 0)) with (fillfactor = 50)',
    'create table bench.messages (payment bigint primary key, due_at timestamptz)',
    `insert into bench.balances select n, ${10n ** 15n} from generate_series(0, ${ACCOUNTS - 1}) as n`,
  ],
  statement: `
with p as (insert into bench.payments values (:id, :id::bigint % ${ACCOUNTS}, 100, now())),
e as (insert into bench.entries values (:id, 1, :id::bigint % ${ACCOUNTS}, -100)),
m as (insert into bench.messages values (:id, now()))
update bench.balances set balance = balance - 100 where account = :id::bigint % ${ACCOUNTS}`,
  clean: ['drop table bench.payments, bench.entries, bench.balances, bench.messages'],
};
