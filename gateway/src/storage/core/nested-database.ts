/**
 * A database inside one transaction: each transaction of a command becomes a savepoint, so the caller can commit or roll back
 * several commands together. One connection runs them one after another. A transaction must not open another transaction.
 */
import { InvariantViolation } from '../../foundation/invariant.ts';
import type { Database, Queryable } from './database.ts';

/** `watch` sees the parameters of each statement before it runs, and may read through the connection. */
export function nestDatabase(
  outer: Queryable,
  watch: (values: readonly unknown[]) => Promise<void> = async () => {},
): Database {
  const watched: Queryable = {
    async query(text, values = []) {
      await watch(values);
      return outer.query(text, values);
    },
    async prepared(name, text, values) {
      await watch(values);
      return outer.prepared(name, text, values);
    },
  };
  let last: Promise<unknown> = Promise.resolve();
  const transaction = <Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> => {
    const result = last.then(() => inSavepoint(outer, () => work(watched)));
    last = result.catch(() => {});
    return result;
  };
  return {
    transaction,
    longTransaction: transaction,
    query: (text, values) => transaction((each) => each.query(text, values)),
    prepared: (name, text, values) => transaction((each) => each.prepared(name, text, values)),
    snapshot: refuse,
    connect: refuse,
    close: async () => {},
  };
}

/** Ends a transaction without a commit, and carries the result out of it. */
class RolledBack<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** Commits the changes of `work` if it returns `keep`, and rolls them back otherwise. */
export async function commitIf<Value>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: Queryable) => Promise<{ readonly keep: boolean; readonly value: Value }>,
): Promise<Value> {
  try {
    return await database.transaction(async (transaction) => {
      const { keep, value } = await work(transaction);
      if (!keep) throw new RolledBack(value);
      return value;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.value;
    throw error;
  }
}

async function inSavepoint<Result>(outer: Queryable, work: () => Promise<Result>): Promise<Result> {
  await outer.query('savepoint command');
  try {
    const result = await work();
    await outer.query('release savepoint command');
    return result;
  } catch (error) {
    await outer.query('rollback to savepoint command');
    throw error;
  }
}

async function refuse(): Promise<never> {
  throw new InvariantViolation('a transaction has one connection and no snapshot');
}
