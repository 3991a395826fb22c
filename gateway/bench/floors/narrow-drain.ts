/**
 * The narrow rows of a drain: a queued payout, its posting and its callback. They are the minimum that a worker must commit:
 * it claims a payout before it calls the bank, settles it with its money and its callback, and then completes the callback.
 */
import type { ClientConfig } from 'pg';

/** The bank that executes the payouts, and the gateway's account there. */
export interface DrainFloorBank {
  readonly bankUrl: string;
  readonly merchantAccount: string;
  readonly secretKey: string;
  /** The URL for the bank's notifications. */
  readonly serviceUrl: string;
  /** The maximum number of payouts in flight at the bank. */
  readonly concurrency: number;
}

/** The parameters of servers/drain-floor.ts. */
export interface DrainFloorOrder extends DrainFloorBank {
  readonly connection: ClientConfig;
  /** The URL of the callback receiver. */
  readonly receiverUrl: string;
  readonly merchantKey: string;
  /** The number of queued payouts, numbered from zero. */
  readonly payouts: number;
}

/** Enough accounts that no balance is a bottleneck. */
const ACCOUNTS = 1_000;

interface NarrowDrain {
  /** Returns the statements that queue this many payouts, numbered from zero. */
  readonly prepare: (payouts: number) => readonly string[];
  /** `$1` and `$2` are the first and the last number of the claimed payouts. */
  readonly claim: string;
  /** `$1` contains the numbers of executed payouts. */
  readonly settle: string;
  /** `$1` contains the numbers of the payouts whose callback was accepted. */
  readonly acknowledge: string;
  /** Counts the payouts and callbacks that are not complete. */
  readonly left: string;
  readonly clean: readonly string[];
}

export const NARROW_DRAIN: NarrowDrain = {
  prepare: (payouts) => [
    'create schema if not exists bench',
    'drop table if exists bench.jobs, bench.postings, bench.funds, bench.notices',
    'create table bench.jobs (number bigint primary key, claimed_at timestamptz)',
    'create table bench.postings (number bigint primary key, account integer, amount bigint, at timestamptz)',
    'create table bench.funds (account integer primary key, balance bigint check (balance >= 0)) with (fillfactor = 50)',
    'create table bench.notices (number bigint primary key, accepted_at timestamptz)',
    `insert into bench.funds select n, ${10n ** 15n} from generate_series(0, ${ACCOUNTS - 1}) as n`,
    `insert into bench.jobs select n, null from generate_series(0, ${payouts - 1}) as n`,
    'analyze bench.jobs',
  ],
  claim: 'update bench.jobs set claimed_at = now() where number between $1 and $2',
  settle: `
with k as materialized (select number from unnest($1::bigint[]) as number),
d as (delete from bench.jobs where number = any($1::bigint[])),
p as (insert into bench.postings select number, number % ${ACCOUNTS}, 100, now() from k),
n as (insert into bench.notices select number, null from k)
update bench.funds as f set balance = f.balance - c.amount
from (select number % ${ACCOUNTS} as account, sum(100) as amount from k group by 1) as c
where f.account = c.account`,
  acknowledge: 'update bench.notices set accepted_at = now() where number = any($1::bigint[])',
  left: `select (select count(*) from bench.jobs) + (select count(*) from bench.notices where accepted_at is null)`,
  clean: ['drop table bench.jobs, bench.postings, bench.funds, bench.notices'],
};
