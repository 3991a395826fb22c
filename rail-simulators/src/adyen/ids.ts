/**
 * The ids that Adyen and the banks assign. They differ between starts and need not be secret, because no real money is
 * involved.
 */
import { hash } from 'node:crypto';

export class Ids {
  readonly #salt: string;
  #count: number;

  /** `count` is at least the number of ids assigned before. */
  constructor(salt: string, count: number) {
    this.#salt = salt;
    this.#count = count;
  }

  /** Returns 16 characters that are unique within one book. */
  pspReference(): string {
    this.#count += 1;
    return `SIMULATED${this.#count.toString(36).toUpperCase().padStart(7, '0')}`;
  }

  uuid(): string {
    const hex = this.#digest();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Returns an opaque value that the client only forwards. */
  opaque(name: string): string {
    return `${name}!${this.#digest()}`;
  }

  #digest(): string {
    this.#count += 1;
    return hash('sha256', `${this.#salt}:${this.#count}`);
  }
}
