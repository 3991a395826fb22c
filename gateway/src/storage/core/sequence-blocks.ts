/** Takes numbers from a sequence in blocks, to save round trips. A crash leaves the rest of a block unused. */
import type { Queryable } from './database.ts';
import type { Sequence } from './sequences.ts';

/** The returned function gives each number once across all processes. */
export function createBlocks(
  database: Queryable,
  { name, blockSize }: Pick<Sequence, 'name' | 'blockSize'>,
): () => Promise<number> {
  let block: Promise<{ next: number; readonly end: number }> | undefined;
  const takeBlock = async () => {
    const [row] = await database.query<{ start: bigint }>('select nextval($1::regclass) as start', [name]);
    const start = Number(row?.start);
    return { next: start, end: start + blockSize };
  };
  return async () => {
    for (;;) {
      block ??= takeBlock();
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
