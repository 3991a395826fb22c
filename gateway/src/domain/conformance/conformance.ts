/** The messages that developer tools send to a merchant's test receiver, and their reports. */

import type { Secret } from '../../foundation/secret.ts';
import type { CallbackPayload, CallbackSubject } from '../callbacks/callback.ts';

export interface ConformanceRequest {
  readonly url: URL;
  readonly eventUrl: URL | null;
  /** The page to which payers return. */
  readonly returnUrl: URL | null;
  readonly merchantId: string;
  readonly key: Secret;
  /** The key before the last rotation, if the receiver knows it. */
  readonly oldKey: Secret | null;
  readonly formKey: Secret | null;
  readonly format: 'form' | 'json';
  readonly acknowledgement: 'ok_body' | 'any_2xx';
  /** Reads the merchant's record, which has a line per processed payment. Null if the tool cannot read it. */
  readonly readBook: (() => Promise<string>) | null;
  /** The maximum time until the receiver responds. */
  readonly patienceMs: number;
  /** How long after the last response the book may take to update. */
  readonly settleMs: number;
}

export interface ConformanceResult {
  readonly name: string;
  /** The message that was sent. */
  readonly plays: string;
  readonly state: 'passed' | 'failed' | 'not_examined';
  /** The fault, or the missing precondition. Empty for a passed check. */
  readonly found: string;
  /** The remedy of a failed check. */
  readonly remedy: string;
}

export type PlayReceiver = (request: ConformanceRequest) => Promise<readonly ConformanceResult[]>;

/** A message that the gateway signs now and sends to a test receiver. */
export interface SignedDelivery {
  readonly target: URL;
  readonly merchantId: string;
  readonly key: Secret;
  readonly format: 'form' | 'json';
  readonly subject: CallbackSubject;
  /** The merchant's id of the payment. */
  readonly id: string;
  readonly callbackId: string;
  readonly payload: CallbackPayload;
}

export interface DeliveredMessage {
  /** Null if the server did not respond. */
  readonly status: number | null;
  readonly reply: string;
  readonly latencyMs: number;
  /** The reason why the gateway would send it again. Null if the response acknowledges it. */
  readonly fault: string | null;
}

export type DeliverSigned = (delivery: SignedDelivery) => Promise<DeliveredMessage>;
