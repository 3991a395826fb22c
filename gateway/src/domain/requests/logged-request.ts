/** A request of a merchant as the request log keeps it, for users who ask why it was rejected. It is not a copy of a payment. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** The wires that merchants' servers and their links use. */
export const LOGGED_ENDPOINTS = ['payout_send', 'payout_status', 'balance', 'list', 'host2host', 'form'] as const;
export type LoggedEndpoint = (typeof LOGGED_ENDPOINTS)[number];

/**
 * `rejected`: the request was authentic. `unproven`: it was rejected before the gateway knew its sender, so a stranger may
 * have sent it in the merchant's name.
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

/** The context that a page about one request shows. Card numbers and secrets are overwritten, with as many bytes. */
export interface RequestRecord extends LoggedRequest {
  /** From a closed list of names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or the query of a GET. Its first bytes, if it was longer. */
  readonly request: Buffer;
  /** The length of the whole. */
  readonly requestBytes: number;
  readonly reply: Buffer;
  /** The vault's token of the exact bytes. Null if the vault does not keep them. */
  readonly vaultToken: string | null;
}

export interface RequestKey {
  readonly merchantId: MerchantId;
  readonly requestId: string;
}

/** The rejections that a wrong signature causes. Only for these the vault keeps the exact bytes. */
export const SIGNATURE_REASONS: ReadonlySet<string> = new Set(['sign_error', 'wrong_signature']);
