/** Counts the transactions of a test. */
import type { Database } from '../../../src/storage/core/database.ts';

/** The same database, which counts the transactions that were begun through it. */
export function countTransactions(database: Database): Database & { begun(): number } {
  let begun = 0;
  return {
    ...database,
    begun: () => begun,
    transaction(work) {
      begun += 1;
      return database.transaction(work);
    },
  };
}
