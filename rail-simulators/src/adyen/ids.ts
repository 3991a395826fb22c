/** The names that Adyen and the banks give. They differ between starts; they guard nothing, since nothing real is behind. */
import { hash } from 'node:crypto';

export class Ids {
  readonly #salt: string;
  #count: number;

  /** `count`: as many as have been given before, or more. */
  constructor(salt: string, count: number) {
    this.#salt = salt;
    this.#count = count;
  }

  /** 16 characters; never the same twice in one book. */
  pspReference(): string {
    this.#count += 1;
    return `SIMULATED${this.#count.toString(36).toUpperCase().padStart(7, '0')}`;
  }

  uuid(): string {
    const hex = this.#digest();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Something of Adyen's that a client only passes on. */
  opaque(name: string): string {
    return `${name}!${this.#digest()}`;
  }

  #digest(): string {
    this.#count += 1;
    return hash('sha256', `${this.#salt}:${this.#count}`);
  }
}
