/**
 * Statements that write rows for many payouts at once, and the group commit that runs them. They show the upper bound for a
 * server with the gateway's wire protocol and commits, but without its decisions.
 */
import type { ClientConfig } from 'pg';
import { systemClock } from '../../src/foundation/clock.ts';
import { createGroupCommit } from '../../src/storage/core/commits/group-commit.ts';
import { openDatabase } from '../../src/storage/core/database.ts';
import type { PayoutShape } from '../specimen/specimen.ts';
import type { BatchStatement } from '../stage/stage.ts';
import { namesOf, payoutFloor } from './payout-floor.ts';

interface BatchCommits extends BatchStatement {
  readonly connection: ClientConfig;
}

/** The same values as the gateway's (open-core.ts). */
export const COMMIT_LIMITS = { maxBatch: 128, maxQueued: 2_048, patienceMs: 15_000 };

/** Returns a function that commits the rows of one payout per call, in a commit shared with concurrent calls. */
export function commitsOf({ connection, statement, firstNumber }: BatchCommits): () => Promise<void> {
  const database = openDatabase(connection, { poolSize: 4, actAsApp: false });
  let next = firstNumber;
  const commits = createGroupCommit<number, true>({
    ...COMMIT_LIMITS,
    clock: systemClock,
    flush: async (numbers) => {
      await database.prepared('batch-floor', statement, [numbers]);
      return numbers.map(() => true);
    },
  });
  return async () => {
    await commits.submit(next++);
  };
}

export interface BatchFloor {
  readonly prepare: readonly string[];
  readonly statement: string;
  readonly clean: readonly string[];
}

/** Writes one narrow row per payout. */
export const NARROW_ROW: BatchFloor = {
  prepare: [
    'create schema if not exists bench',
    'drop table if exists bench.narrow',
    'create table bench.narrow (number bigint primary key, amount bigint)',
  ],
  statement: 'insert into bench.narrow select number, 100 from unnest($1::bigint[]) as number',
  clean: ['drop table bench.narrow'],
};

/** Writes the rows of the SQL floor per payout, and changes each balance once per batch. */
export function ownRows(shape: PayoutShape): BatchFloor {
  const { prepare, clean } = payoutFloor(shape);
  const moved = shape.balances.filter(({ change }) => change !== 0n);
  const changes = moved.map(({ currency, account, change }) => `('${currency}', '${account}', ${change})`).join(', ');
  const inserts = shape.rows.map(({ table, columns }, at) => {
    const names = columns.map(([name]) => `"${name}"`).join(', ');
    return `r${at} as (insert into ${table} (${names}) select ${columns.map(([, text]) => text).join(', ')} from k)`;
  });
  const names = Object.entries(namesOf('number')).map(([name, text]) => `${text} as ${name.replace('k.', '')}`);
  const statement = `
with k as materialized (
  select ${names.join(', ')} from unnest($1::bigint[]) as number),
${inserts.join(',\n')}
update ledger_accounts as a set balance = a.balance + c.change
from (
  select merchant_id, currency, account, sum(change) as change
  from k cross join (values ${changes}) as moved(currency, account, change)
  group by 1, 2, 3) as c
where a.merchant_id = c.merchant_id and a.currency = c.currency and a.account = c.account`;
  return { prepare, statement, clean };
}
