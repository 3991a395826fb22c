/** A random stream that depends only on its seed, and is cheap enough for millions of draws. */
import { createHash } from 'node:crypto';
import type { Random } from '../../src/foundation/random.ts';

export interface Drawn {
  /** Returns a number that is uniform in [0, 1). */
  fraction(): number;
  /** Returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  oneOf<Item>(items: readonly Item[]): Item;
  /** Returns one of the values, with a probability proportional to its weight. */
  weighted<Value>(table: readonly (readonly [weight: number, value: Value])[]): Value;
  /** Returns a separate stream, so that draws for one purpose do not shift those for another. */
  apart(purpose: string): Drawn;
  /** The same stream as the gateway's random source. */
  readonly random: Random;
}

/** Creates a generator: Xorshift by Marsaglia, with 128 bits of state. */
export function drawnFrom(seed: string): Drawn {
  const state = new Uint32Array(4);
  const digest = createHash('sha256').update(seed).digest();
  for (let word = 0; word < 4; word++) state[word] = digest.readUInt32LE(word * 4) | 1;
  function next(): number {
    let mixed = state[3] as number;
    const first = state[0] as number;
    state[3] = state[2] as number;
    state[2] = state[1] as number;
    state[1] = first;
    mixed ^= mixed << 11;
    mixed ^= mixed >>> 8;
    state[0] = mixed ^ first ^ (first >>> 19);
    return state[0] as number;
  }
  const fraction = () => next() / 2 ** 32;
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  function bytes(count: number): Buffer {
    const drawn = Buffer.alloc(Math.ceil(count / 4) * 4);
    for (let at = 0; at < drawn.length; at += 4) drawn.writeUInt32LE(next(), at);
    return drawn.subarray(0, count);
  }
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    oneOf: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
    weighted<Value>(table: readonly (readonly [number, Value])[]): Value {
      let left = fraction() * table.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of table) {
        left -= weight;
        if (left < 0) return value;
      }
      return (table.at(-1) as readonly [number, Value])[1];
    },
    apart: (purpose) => drawnFrom(`${seed}/${purpose}`),
    random: { bytes, fraction, uuid: () => uuidOf(bytes(16).toString('hex')) },
  };
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
