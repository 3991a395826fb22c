/**
 * A value that must never be printed: merchant keys, card numbers, tokens. Every conversion to text (String, JSON,
 * console, a log) yields `[secret]`. Only `reveal` returns the value, so a search for `reveal` lists every place that
 * reads one.
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

/** Compares two signatures in a time that depends on their lengths, which are public, and not on their content. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
