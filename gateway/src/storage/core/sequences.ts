/**
 * The sequences that number objects outside the gateway, and the reservation of their numbers in blocks. A restore rewinds a
 * sequence, so the recovery moves each past all numbers that may have been issued (domain/recovery/begin-recovery.ts). A test
 * fails if a sequence is missing here.
 */
import type { SkippedNumbers } from '../../domain/recovery/recovery-store.ts';
import type { Queryable } from './database.ts';

interface Sequence {
  readonly name: string;
  /** How many numbers a process reserves at once, which equals the sequence's increment. */
  readonly blockSize: number;
  /** The recipients of the numbers. */
  readonly reaches: string;
}

export const SEQUENCES: Readonly<Record<keyof SkippedNumbers, Sequence>> = {
  transactionIds: {
    name: 'transaction_ids',
    blockSize: 1_024,
    reaches: 'merchants, by transactionId; providers, by the reference of a payer’s attempt',
  },
  addresses: {
    name: 'clabe_numbers',
    blockSize: 64,
    reaches: 'payers, by the CLABE with that number',
  },
};

/**
 * Reserves numbers of a sequence in blocks, to save round trips. A crash leaves the rest of a block unused.
 *
 * The returned function returns each number once across all processes.
 */
export function createBlocks(
  database: Queryable,
  { name, blockSize }: Pick<Sequence, 'name' | 'blockSize'>,
): () => Promise<number> {
  let block: Promise<{ next: number; readonly end: number }> | undefined;
  const reserveBlock = async () => {
    const [row] = await database.query<{ start: bigint }>('select nextval($1::regclass) as start', [name]);
    const start = Number(row?.start);
    return { next: start, end: start + blockSize };
  };
  return async () => {
    for (;;) {
      block ??= reserveBlock();
      const mine = block;
      const current = await mine.catch((error: unknown) => {
        if (block === mine) block = undefined;
        throw error;
      });
      if (current.next < current.end) return current.next++;
      if (block === mine) block = undefined;
    }
  };
}
