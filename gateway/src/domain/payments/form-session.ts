/**
 * A payer's session on the hosted form: the merchant's request, stored with an opaque token. It becomes a deposit when the
 * payer submits. A session that no payer submits leaves no trace with the merchant (decision 34).
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import { type Random, randomAlphanumeric } from '../../foundation/random.ts';
import type { PaymentType } from '../methods/payment-type.ts';

/** The tag of a page's language. */
export const LANGUAGES = ['en', 'uk', 'kk', 'pt-BR', 'es-MX', 'fr', 'de', 'pl'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface FormSession {
  readonly merchantId: MerchantId;
  /** A UUID. */
  readonly sessionId: string;
  readonly orderId: string;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  /** Whether the merchant signed the request. An unsigned session never blocks a signed request. */
  readonly isSigned: boolean;
  /** The hash of the payer's browser token. Null if the browser stores none, such as in a frame on another site. */
  readonly visitorHash: Buffer | null;
  readonly language: Language;
  /** The type of the payment. If null, the payer chooses. */
  readonly paymentType: PaymentType | null;
  /** The other parameters by their API names, unchanged. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The deposit that the session became. Null until the payer submits. */
  readonly transactionId: number | null;
  readonly createdAt: Instant;
  /** The end of the payer's time to submit. */
  readonly expiresAt: Instant;
}

/** The length of a token for a page or a payer's browser. 43 letters and digits carry 256 bits. */
const TOKEN_LENGTH = 43;

/**
 * Creates the token in the page's URL. The database stores only its hash, so that a reader of the database cannot open a form.
 */
export function createToken(random: Random): string {
  return randomAlphanumeric(random, TOKEN_LENGTH);
}

export function isToken(text: string): boolean {
  return text.length === TOKEN_LENGTH && /^[A-Za-z0-9]+$/.test(text);
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
