/** What a payer's page is worked out from, and what each part of it needs to know of the payment. */

import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { isUnderWay, type PaymentAttempt } from '../../../domain/payments/payment-attempt.ts';
import type { PayerBank, PaymentRail } from '../../../domain/payments/payment-rail.ts';
import type { SessionRecord } from '../../../domain/payments/payment-store.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { PaymentHead } from '../pages/page-view.ts';
import { shopAddress } from '../request/shop-address.ts';
import type { PageChoice } from './page-choice.ts';
import { payerRedirect } from './payer-redirect.ts';

/** What has to be known of a rail. */
export type ViewRail = Pick<
  PaymentRail,
  'name' | 'paymentType' | 'currencies' | 'simulated' | 'needs' | 'frameOrigins'
>;

export interface ViewFacts {
  readonly record: SessionRecord;
  readonly merchant: Merchant;
  readonly rails: readonly ViewRail[];
  /** By name. */
  readonly banks: readonly PayerBank[];
  readonly choice: PageChoice;
  readonly now: Instant;
}

/** The one that has not ended, else the latest; undefined before the payer submitted. */
export function shownAttempt({ attempts }: Pick<SessionRecord, 'attempts'>): PaymentAttempt | undefined {
  return attempts.find(isUnderWay) ?? attempts.at(-1);
}

/** Until when the payer may act. */
export function payerDeadline({ deposit, session }: SessionRecord): Instant {
  return deposit?.expiresAt ?? session.expiresAt;
}

/** `isOpen`: there is something left that the payer can do. */
export function headOf({ record, merchant }: ViewFacts, isOpen: boolean): PaymentHead {
  const { session } = record;
  return {
    merchantName: merchant.name,
    money: session.money,
    orderId: session.orderId,
    itemName: session.parameters['item_name'] ?? '',
    shopUrl: shopOf(record, merchant),
    expiresAt: isOpen ? payerDeadline(record) : null,
    canCancel: isOpen,
    canChangeWay: false,
  };
}

/** The way back to the shop without a result, where there is one. */
export function shopOf({ session }: SessionRecord, merchant: Merchant): string | null {
  return shopAddress(session.parameters['payment_url'] ?? '', merchant);
}

/** The payer's, else the merchant's; undefined where there is no such bank, which opens the picker. */
export function chosenBank({ choice, record, banks }: ViewFacts): PayerBank | undefined {
  const wanted = choice.bankId ?? record.session.parameters['bank_id'];
  return banks.find(({ bankId }) => bankId === wanted);
}

/** Where the payer goes with that result; null where the merchant has no such address. */
export function redirectOf({ record, merchant }: ViewFacts, status: 'success' | 'canceled'): string | null {
  const { session, deposit } = record;
  const { orderId, money, amountText } = session;
  const itemName = session.parameters['item_name'] ?? '';
  const transactionId = deposit?.transactionId ?? null;
  return payerRedirect({ status, orderId, money, amountText, itemName, transactionId }, merchant);
}
