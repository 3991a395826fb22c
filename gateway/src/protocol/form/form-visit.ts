/**
 * The dependencies of the hosted form's routes, and the payer's visit that they share. Only the page's token finds a
 * visit: its holder received it from the merchant's redirect.
 */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type MerchantDirectory, merchantOf } from '../../domain/merchants/merchant-directory.ts';
import type { PaymentParts } from '../../domain/payments/attempts/payment-parts.ts';
import type { BankDirectory } from '../../domain/payments/banks/bank-directory.ts';
import { hashOfToken, isToken } from '../../domain/payments/form-session.ts';
import type { SessionRecord } from '../../domain/payments/payment-store.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { TooManyRequests } from '../authentication/rate-limit.ts';
import type { FormRejection } from './request/form-fields.ts';
import type { PageChoice } from './view/page-choice.ts';
import type { ViewFacts } from './view/view-facts.ts';

export interface FormParts {
  /** The domain's parts, including the rails that take payments. */
  readonly payments: PaymentParts;
  readonly directory: MerchantDirectory;
  readonly bankDirectory: Pick<BankDirectory, 'banks'>;
  /** A keyed hash with a key of the gateway, equal in every process. */
  readonly keyedHash: (secret: Secret) => Buffer;
  /** Calls `listener` with the payment of each attempt that this process has changed. */
  readonly onPaymentChanged: (listener: (payment: DepositKey) => void) => void;
  /** The public base URL of the gateway, with its path prefix and without a trailing slash. */
  readonly publicUrl: () => string;
  /** How many forms one address may open per minute, unless a merchant's setting differs. 0 means no limit. */
  readonly defaultFormRate: number;
  /** Receives each rejected form request. The merchant's id is empty if no such merchant exists. */
  readonly onRejected: (merchantId: string, rejection: FormRejection | TooManyRequests) => void;
  /** If undefined, the gateway logs no requests. */
  readonly requestLog?: RequestLog | undefined;
  /** Receives a bug or an unreachable database. The payer's page reveals neither. */
  readonly onInternalError: (error: unknown, route: string) => void;
}

/** A payer's visit to their page. */
export interface Visit {
  readonly token: string;
  readonly record: SessionRecord;
  readonly merchant: Merchant;
}

export const FORM_PATH = '/payment/form';

/** Returns undefined if no such page exists. */
export async function findVisit(
  { payments, directory }: Pick<FormParts, 'payments' | 'directory'>,
  token: string,
): Promise<Visit | undefined> {
  if (!isToken(token)) return undefined;
  const record = await payments.store.findSession(hashOfToken(token));
  if (!record) return undefined;
  return { token, record, merchant: await merchantOf(directory, record.session.merchantId) };
}

export function factsOf(
  { payments, bankDirectory }: FormParts,
  { record, merchant }: Visit,
  choice: PageChoice,
): ViewFacts {
  return { record, merchant, rails: payments.rails, banks: bankDirectory.banks(), choice, now: payments.clock.now() };
}
