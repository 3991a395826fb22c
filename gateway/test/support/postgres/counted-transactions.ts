/** Counts the transactions of a test. */
import type { Database } from '../../../src/storage/core/database.ts';

/** Returns the database, which now counts the transactions that begin through it. */
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
