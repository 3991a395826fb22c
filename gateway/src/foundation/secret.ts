/**
 * What must never be printed: merchant keys, card numbers, tokens. Every road to text (String, JSON, console,
 * a log) shows `[secret]`; only `reveal` gives the value, so that a search for `reveal` lists each place that sees one.
 */
import { timingSafeEqual } from 'node:crypto';

const SHOWN = '[secret]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  get isEmpty(): boolean {
    return this.#value.length === 0;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN;
  }
}

/** Compares two signatures in a time that depends on neither's content. Their lengths may show: everybody knows them. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
