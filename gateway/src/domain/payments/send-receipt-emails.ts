/**
 * Sends receipts by email after a payment, for merchants with the setting `receipt_email`. It runs in the worker and takes no
 * part in transactions with money. The worker deletes the address before it sends, so a payment has at most one receipt: after
 * a crash in between, it has none.
 */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { DueReceipt, PaidDeposit, ReceiptAddress, ReceiptEmailStore } from './receipt-email-store.ts';

export interface ReceiptMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The merchant's support address, if it has one. */
  readonly replyTo?: string;
}

/** `not_sent` and `refused` prove that no mailbox received it. `refused`: the address accepts no mail. */
export type SendOutcome = 'sent' | 'not_sent' | 'refused' | 'unknown';

interface SendReceiptEmailsParts {
  readonly store: ReceiptEmailStore;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly write: (merchant: Merchant, paid: PaidDeposit, address: ReceiptAddress) => ReceiptMessage;
  readonly send: (message: ReceiptMessage) => Promise<SendOutcome>;
  readonly clock: Clock;
}

/** The delay after the start of the first attempt: most payers have paid by then. */
export const FIRST_LOOK_MS = 3 * SECOND_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
const MOST_TRIES = 6;
const BATCH = 50;

export async function sendReceiptEmails(parts: SendReceiptEmailsParts, signal: AbortSignal): Promise<void> {
  for (const receipt of await parts.store.due(parts.clock.now(), BATCH)) {
    if (signal.aborted) return;
    await look(parts, receipt);
  }
}

async function look(parts: SendReceiptEmailsParts, receipt: DueReceipt): Promise<void> {
  const { store, clock } = parts;
  const paid = await store.read(receipt);
  const state = paid?.deposit.state;
  if (paid && state !== 'success' && state !== 'fail') {
    const ageMs = clock.now() - paid.deposit.createdAt;
    await store.postpone(receipt, clock.now() + Math.min(LONGEST_WAIT_MS, Math.max(FIRST_LOOK_MS, ageMs / 4)));
    return;
  }
  const isMine = await store.take(receipt);
  if (isMine && paid && state === 'success') await send(parts, receipt, paid);
}

async function send(
  { store, merchants, clock, ...parts }: SendReceiptEmailsParts,
  receipt: DueReceipt,
  paid: PaidDeposit,
) {
  const found = await merchants.find(receipt.merchantId);
  if (found?.merchant.settings.receipt_email !== 'on') return;
  const outcome = await parts.send(parts.write(found.merchant, paid, receipt));
  const tries = receipt.tries + 1;
  if (outcome === 'not_sent' && tries < MOST_TRIES)
    await store.putBack({ ...receipt, tries }, clock.now() + MINUTE_MS * 2 ** receipt.tries);
}
