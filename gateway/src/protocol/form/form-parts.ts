/** What the routes of the hosted form are made from, and what each of them knows of the payer it serves. */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { BankDirectory } from '../../domain/payments/bank-directory.ts';
import type { PaymentParts } from '../../domain/payments/pay.ts';
import type { SessionRecord } from '../../domain/payments/payment-store.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { TooManyRequests } from '../authentication/rate-limit.ts';
import type { FormRefusal } from './request/form-refusal.ts';

export interface FormParts {
  /** The domain's own parts, with the rails that take payments. */
  readonly payments: PaymentParts;
  readonly directory: MerchantDirectory;
  readonly bankDirectory: Pick<BankDirectory, 'banks'>;
  /** A keyed hash under a key of the gateway's, the same in every process. */
  readonly keyedHash: (secret: Secret) => Buffer;
  /** Calls `listener` with the payment of each attempt of which this process has written something down. */
  readonly onPaymentChanged: (listener: (payment: DepositKey) => void) => void;
  /** Where payers and providers reach this gateway, with its path prefix, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Forms that one address may open in a minute, where the merchant's settings say nothing; 0 = no limit. */
  readonly defaultFormRate: number;
  /** Told of each request for a form that was refused; the merchant's id is empty where there is no such merchant. */
  readonly onRefused: (merchantId: string, refusal: FormRefusal | TooManyRequests) => void;
  /** A bug, or a database that could not be reached. The payer saw a page that says nothing of it. */
  readonly onInternalError: (error: unknown, route: string) => void;
}

/** A payer before their page. */
export interface Visit {
  readonly token: string;
  readonly record: SessionRecord;
  readonly merchant: Merchant;
}

export const FORM_PATH = '/payment/form';
