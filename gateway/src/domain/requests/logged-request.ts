/**
 * A merchant's request in the request log, for users who need to know why it was rejected. It is not the record of a payment.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** The endpoints that merchants' servers and links use. */
export const LOGGED_ENDPOINTS = ['payout_send', 'payout_status', 'balance', 'list', 'host2host', 'form'] as const;
export type LoggedEndpoint = (typeof LOGGED_ENDPOINTS)[number];

/**
 * `rejected`: the request was authentic. `unproven`: it was rejected before the gateway had authenticated its sender, so a
 * third party may have sent it in the merchant's name.
 */
export const REQUEST_OUTCOMES = ['accepted', 'rejected', 'unproven'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export interface LoggedRequest {
  readonly merchantId: MerchantId;
  readonly requestId: string;
  readonly receivedAt: Instant;
  readonly endpoint: LoggedEndpoint;
  readonly outcome: RequestOutcome;
  /** The kind of the rejection; empty for an accepted request. */
  readonly reason: string;
  /** The text of the response, such as "Sign error"; empty for an accepted request. */
  readonly description: string;
  readonly method: string;
  readonly httpStatus: number;
  readonly clientAddress: string;
  readonly durationMs: number;
  /** The merchant's id of the payout or the order in the request. Null for a request without an id. */
  readonly subjectId: string | null;
}

/** The context that a page about one request shows. Card numbers and secrets are overwritten byte for byte. */
export interface RequestRecord extends LoggedRequest {
  /** Only headers from a closed list of names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or the query of a GET, perhaps truncated. */
  readonly request: Buffer;
  /** The length of the complete request. */
  readonly requestBytes: number;
  readonly reply: Buffer;
  /** The vault's token of the exact bytes. Null if the vault does not store them. */
  readonly vaultToken: string | null;
}

export interface RequestKey {
  readonly merchantId: MerchantId;
  readonly requestId: string;
}

/** The rejections that a wrong signature causes. Only for these does the vault store the exact bytes. */
export const SIGNATURE_REASONS: ReadonlySet<string> = new Set(['sign_error', 'wrong_signature']);
