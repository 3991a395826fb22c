/** The facts from which a payer's page is derived, with functions that several views share. */

import { createHash } from 'node:crypto';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { isInFlight, type RecordedAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { PayerBank, PaymentRail } from '../../../domain/payments/payment-rail.ts';
import type { SessionRecord } from '../../../domain/payments/payment-store.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { PaymentHead } from '../pages/page-view.ts';
import type { PageChoice } from './page-choice.ts';
import { shopAddress } from './payer-redirect.ts';

/** The part of a rail that a view depends on. */
export type ViewRail = Pick<
  PaymentRail,
  'name' | 'paymentType' | 'currencies' | 'simulated' | 'needs' | 'frameOrigins' | 'wallets'
>;

export interface ViewFacts {
  readonly record: SessionRecord;
  readonly merchant: Merchant;
  readonly rails: readonly ViewRail[];
  /** The banks, ordered by name. */
  readonly banks: readonly PayerBank[];
  readonly choice: PageChoice;
  readonly now: Instant;
}

/** Returns the open attempt, otherwise the latest one. Undefined before the payer submitted. */
export function shownAttempt({ attempts }: Pick<SessionRecord, 'attempts'>): RecordedAttempt | undefined {
  return attempts.find(isInFlight) ?? attempts.at(-1);
}

/** Returns the end of the payer's time. */
export function payerDeadline({ deposit, session }: SessionRecord): Instant {
  return deposit?.expiresAt ?? session.expiresAt;
}

/** `isOpen` is true if the payer can still act. */
export function headOf(facts: ViewFacts, isOpen: boolean): PaymentHead {
  const { record, merchant } = facts;
  const { session } = record;
  return {
    merchantName: merchant.settings.display_name ?? merchant.name,
    isTest: isTest(facts),
    help: helpOf(merchant),
    money: session.money,
    orderId: session.orderId,
    itemName: session.parameters['item_name'] ?? '',
    shopUrl: shopOf(record, merchant),
    expiresAt: isOpen ? payerDeadline(record) : null,
    canCancel: isOpen,
    canChangeWay: false,
    canChangeBank: false,
  };
}

/** Returns the merchant's support and pages for payers. */
export function helpOf({ settings }: Merchant): PaymentHead['help'] {
  const { support_contact, terms_url, privacy_url } = settings;
  return { support: support_contact, termsUrl: terms_url, privacyUrl: privacy_url };
}

/** Before an attempt, true while every rail that could take the payment moves no real money. */
function isTest({ record, merchant, rails }: ViewFacts): boolean {
  if (merchant.state === 'test') return true;
  const { currency } = record.session.money;
  const rail = shownAttempt(record)?.rail;
  const possible = rails.filter(({ name, currencies }) =>
    rail === undefined ? currencies.has(currency) : name === rail,
  );
  return possible.length > 0 && possible.every(({ simulated }) => simulated);
}

/** Returns the link back to the shop without a result, if there is one. */
export function shopOf({ session }: SessionRecord, merchant: Merchant): string | null {
  return shopAddress(session.parameters['payment_url'] ?? '', merchant);
}

/** A `bankId` that opens the picker although the merchant's link selects a bank. */
export const ANOTHER_BANK = 'another';

/** Returns the payer's bank, otherwise the merchant's. Undefined for an unknown bank, which opens the picker. */
export function chosenBank({ choice, record, banks }: ViewFacts): PayerBank | undefined {
  const wanted = choice.bankId ?? record.session.parameters['bank_id'];
  if (choice.bankId === ANOTHER_BANK) return undefined;
  return banks.find(({ bankId }) => bankId === wanted);
}

const LENGTH = 24;

/**
 * Returns a short version of the state that a page shows. It changes only if the payer would see something else. Pages poll it,
 * and their forms carry it, so that an action counts only on the state that the payer saw.
 */
export function versionOf(record: SessionRecord, now: Instant): string {
  const { deposit, attempts } = record;
  const attempt = shownAttempt(record);
  const shown = [
    deposit?.state,
    deposit?.failReason,
    now >= payerDeadline(record),
    attempts.length,
    attempts.some(({ state }) => state === 'paid'),
    attempt && [attempt.attempt, attempt.state, attempt.step, attempt.isAuthorised, attempt.refusal],
    // Other queries to the provider change no page. A needless reload would close the payer's bank frame.
    attempt?.state === 'deciding' && attempt.asks > 0,
  ];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, LENGTH);
}

/** Reports whether the page may change without an action of the payer. */
export function isLive({ deposit, attempts }: SessionRecord): boolean {
  return deposit?.state === 'pending' && attempts.some((attempt) => isInFlight(attempt) || attempt.state === 'paid');
}
