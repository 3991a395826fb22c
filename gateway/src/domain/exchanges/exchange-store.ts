/** The HTTP exchanges of one call to a provider about a payment, for operators. */
import type { Instant } from '../../foundation/clock.ts';

/** An exchange as transmitted, including card numbers and secrets, without headers. */
export interface WireExchange {
  readonly method: string;
  readonly path: string;
  readonly request: string;
  /** Null if no complete response arrived. */
  readonly status: number | null;
  readonly reply: Buffer;
  /** The reason for a missing or incomplete response, otherwise empty. */
  readonly failure: string;
}

export interface ProviderExchange {
  readonly rail: string;
  /** The gateway's reference of the attempt at that rail. */
  readonly reference: string;
  readonly exchangeId: string;
  /** The call of the port, such as `send` or `ask`, and how the connector interpreted its response. */
  readonly call: string;
  readonly answer: string;
  readonly at: Instant;
  /** The duration of the entire call. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  /** Card numbers and secrets are overwritten. A longer request is truncated. */
  readonly request: Buffer;
  /** Null if no complete response arrived. */
  readonly status: number | null;
  readonly reply: Buffer;
  /** The reason for a missing or incomplete response, otherwise empty. */
  readonly failure: string;
}

export interface ExchangeStore {
  append(exchanges: readonly ProviderExchange[]): Promise<void>;
  /** Returns the oldest exchange first. */
  list(rail: string, reference: string): Promise<readonly ProviderExchange[]>;
  /** Deletes at most `limit` exchanges from before `before`. Returns how many. */
  forget(before: Instant, limit: number): Promise<number>;
}
