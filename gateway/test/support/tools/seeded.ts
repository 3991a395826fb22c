/** Repeatable random choices: each test prints its seed, and TEST_SEED repeats it. */
import { createSeededRandom } from '../../../src/foundation/random.ts';

export interface Choices {
  readonly seed: string;
  /** Returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

export function createChoices(purpose: string): Choices {
  const seed = process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * 1e9));
  console.log(`${purpose}: TEST_SEED=${seed}`);
  const random = createSeededRandom(`${purpose} ${seed}`);
  const between = (low: number, high: number) => low + Math.floor(random.fraction() * (high - low + 1));
  return {
    seed,
    between,
    oneOf: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
  };
}
