/** The messages that the tools for a merchant's developer send to a test receiver, and the reports of them. */

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
  /** The merchant's record, with a line for each processed payment. Null means that the tool cannot read it. */
  readonly readBook: (() => Promise<string>) | null;
  /** How long the receiver may take for a response. */
  readonly patienceMs: number;
  /** How long the book may take after the last response. */
  readonly settleMs: number;
}

export interface ConformanceResult {
  readonly name: string;
  /** The message that was sent. */
  readonly plays: string;
  readonly state: 'passed' | 'failed' | 'not_examined';
  /** The fault, or the missing precondition; empty for a passed check. */
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
  /** Null means that the server gave no response. */
  readonly status: number | null;
  readonly reply: string;
  readonly latencyMs: number;
  /** Why the gateway would send it again, or null if the response acknowledges it. */
  readonly fault: string | null;
}

export type DeliverSigned = (delivery: SignedDelivery) => Promise<DeliveredMessage>;
