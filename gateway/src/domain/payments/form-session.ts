/**
 * A payer's visit to the hosted form: what the merchant asked for, kept behind an opaque token. It becomes a deposit when
 * the payer submits; one that nobody submits leaves no trace with the merchant (decisions, States: form sessions).
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../foundation/ids.ts';
import type { Money } from '../../foundation/money.ts';
import type { PaymentType } from '../methods/payment-type.ts';

export type Language = 'en' | 'uk' | 'kk';

export interface FormSession {
  readonly merchantId: MerchantId;
  /** A UUID. */
  readonly sessionId: string;
  readonly orderId: string;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  /** Whether the merchant signed the request; one that anybody could have made stands in nobody's way. */
  readonly isSigned: boolean;
  /** Hash of what the payer's browser is known by; null where it keeps nothing, as in a frame on another site. */
  readonly visitorHash: Buffer | null;
  readonly language: Language;
  /** Null: the payer chooses. */
  readonly paymentType: PaymentType | null;
  /** The other parameters by their wire names, as they were given. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The deposit that it has become; null before the payer submitted. */
  readonly transactionId: number | null;
  readonly createdAt: Instant;
  /** Until when the payer may submit. */
  readonly expiresAt: Instant;
}

/** 43 letters and digits carry 256 bits. Of a page, or of a payer's browser. */
const TOKEN_LENGTH = 43;

/** What stands in the page's address. Kept as a hash alone: who reads the database can't open anybody's form. */
export function createToken(random: Random): string {
  return randomAlphanumeric(random, TOKEN_LENGTH);
}

export function isToken(text: string): boolean {
  return text.length === TOKEN_LENGTH && /^[A-Za-z0-9]+$/.test(text);
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
