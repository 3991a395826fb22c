/** Counts the work of a database that has not ended, so that a sandbox world knows whether its gateway is idle. */
import type { Database, Queryable } from '../core/database.ts';

export interface CountedDatabase {
  readonly database: Database;
  /** The statements and transactions that have no response yet. */
  inFlight(): number;
}

export function countDatabase(counted: Database): CountedDatabase {
  let inFlight = 0;
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    inFlight += 1;
    try {
      return await work;
    } finally {
      inFlight -= 1;
    }
  };
  const countQueries = (own: Queryable): Queryable => ({
    query: (text, values) => during(own.query(text, values)),
    prepared: (name, text, values) => during(own.prepared(name, text, values)),
  });
  return {
    inFlight: () => inFlight,
    database: {
      ...countQueries(counted),
      transaction: (work) => during(counted.transaction(work)),
      longTransaction: (work) => during(counted.longTransaction(work)),
      snapshot: (work) => during(counted.snapshot(work)),
      async connect() {
        const { connection, release } = await during(counted.connect());
        return { connection: countQueries(connection), release };
      },
      close: () => counted.close(),
    },
  };
}
