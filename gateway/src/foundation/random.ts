/** Randomness as a parameter: code that needs random values gets a `Random`, so that a test can replay a run. */
import { createHash, randomBytes, randomFillSync, randomUUID } from 'node:crypto';

export interface Random {
  bytes(count: number): Buffer;
  uuid(): string;
  /** Returns a number that is uniform in [0, 1). Use it for jitter, never for keys or tokens. */
  fraction(): number;
}

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let poolUsed = POOL_BYTES;

/**
 * Serves small draws from one large draw: a system call costs more than a thousand random bytes. The vault draws while a
 * payout is accepted. Wipes each draw from the pool.
 */
function pooledBytes(count: number): Buffer {
  if (count > POOL_BYTES / 8) return randomBytes(count);
  if (poolUsed + count > POOL_BYTES) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const drawn = Buffer.from(pool.subarray(poolUsed, poolUsed + count));
  pool.fill(0, poolUsed, poolUsed + count);
  poolUsed += count;
  return drawn;
}

export const systemRandom: Random = {
  bytes: pooledBytes,
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
};

/** Returns a stream of values that depends only on `seed`. It is predictable: use it in tests and simulations only. */
export function createSeededRandom(seed: string): Random {
  let counter = 0;
  const block = () => createHash('sha256').update(`${seed}:${counter++}`).digest();
  const bytes = (count: number) => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < count; have += 32) blocks.push(block());
    return Buffer.concat(blocks).subarray(0, count);
  };
  return {
    bytes,
    uuid: () => {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    fraction: () => bytes(4).readUInt32BE() / 2 ** 32,
  };
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns `length` letters and digits, uniformly distributed. Discards bytes that would bias the choice. */
export function randomAlphanumeric(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
    }
  }
  return text;
}
