/** The forms that several answers of the management API share. */

import type { Callback as CallbackView } from '../../../../contract/endpoints/callbacks.ts';
import type { Balance } from '../../../../contract/endpoints/merchants.ts';
import type { Payout as PayoutView } from '../../../../contract/endpoints/payouts.ts';
import type {
  Explanation as ExplanationView,
  HistoryEntry as HistoryView,
  LedgerLine as LedgerLineView,
} from '../../../../contract/parts/answer-parts.ts';
import { HISTORY_REASONS } from '../../../../contract/texts/history-reasons.ts';
import { ROW_REASONS } from '../../../../contract/texts/row-reasons.ts';
import type { WaitReason } from '../../../../contract/texts/wait-reasons.ts';
import type { WaitTexts } from '../../../../contract/texts/wait-texts.ts';
import type { RowReason } from '../../../domain/batches/batch.ts';
import type { Callback } from '../../../domain/callbacks/callback.ts';
import { type Balances, balanceOf, type LedgerLine } from '../../../domain/ledger/transfer.ts';
import type { Explanation } from '../../../domain/operators/explanation.ts';
import type { HistoryReason } from '../../../domain/payouts/history-reason.ts';
import { type Payout, resultOf } from '../../../domain/payouts/payout.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import type { Mask, ShowActor } from './mask.ts';

/** ISO 8601, UTC. */
export function instantText(instant: Instant): string {
  return new Date(instant).toISOString();
}

export function instantTextOrNull(instant: Instant | null): string | null {
  return instant === null ? null : instantText(instant);
}

/** Returns the accounts that people need to see; `owed` as a positive amount. */
export function viewBalance(currency: Currency, balances: Balances): Balance {
  const amount = (minor: bigint) => formatAmount({ currency, minor });
  return {
    currency,
    available: amount(balanceOf(balances, 'available')),
    reserved: amount(balanceOf(balances, 'reserved')),
    owed: amount(-balanceOf(balances, 'owed')),
  };
}

export function viewLedgerLine({ journalId, kind, debit, credit, amount, ...line }: LedgerLine): LedgerLineView {
  const { currency, note, postedAt } = line;
  const money = formatAmount({ currency, minor: amount });
  return { at: instantText(postedAt), journal: journalId, kind, debit, credit, amount: money, currency, note };
}

export function viewPayout(payout: Payout, mask: Mask): PayoutView {
  const { merchantId, payoutId, transactionId, purpose, method, money, fee, state, blockedReason, rail } = payout;
  return {
    merchantId,
    payoutId,
    transactionId,
    purpose,
    method,
    state,
    blockedReason,
    rail,
    code: resultOf(payout).code,
    amount: formatAmount(money),
    fee: formatAmount({ ...money, minor: fee }),
    currency: money.currency,
    account: mask(payout.beneficiary.accountShown),
    acceptedAt: instantText(payout.acceptedAt),
    finishedAt: instantTextOrNull(payout.finishedAt),
  };
}

export function viewCallback(callback: Callback): CallbackView {
  const { merchantId, callbackId, subject, subjectId, state, attempts } = callback;
  return {
    merchantId,
    callbackId,
    subject,
    subjectId,
    state,
    attempts,
    createdAt: instantText(callback.createdAt),
    dueAt: instantTextOrNull(callback.dueAt),
    finishedAt: instantTextOrNull(callback.finishedAt),
  };
}

/** `texts`: the texts of the contract for the object. */
export function viewExplanation<Reason extends WaitReason, Facts>(
  { reason, facts, since, nextAt, note }: Explanation<Reason, Facts>,
  texts: Readonly<Record<Reason, (facts: Facts) => WaitTexts>>,
): ExplanationView {
  return { reason, ...texts[reason](facts), note, since: instantText(since), nextAt: instantTextOrNull(nextAt) };
}

interface HistoryLine {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: string | null;
  readonly toState: string;
  readonly actor: string;
  readonly detail: string;
  readonly reasons?: readonly HistoryReason[];
}

/** Returns the English texts of reasons, in one line. */
export function reasonsText(reasons: readonly HistoryReason[]): string {
  return reasons.map(([code, ...values]) => HISTORY_REASONS[code](...values)).join('; ');
}

export function rowReasonText([code, ...values]: RowReason): string {
  return ROW_REASONS[code](...values);
}

export function viewReason<Code extends string>([code, ...values]: readonly [Code, ...string[]]) {
  return { code, values };
}

export function viewHistory(history: readonly HistoryLine[], show: ShowActor): HistoryView[] {
  return history.map(({ at, event, fromState, toState, actor, detail, reasons = [] }) => ({
    at: instantText(at),
    event,
    from: fromState,
    to: toState,
    actor: show(actor),
    detail: detail || reasonsText(reasons),
    reasons: reasons.map(viewReason),
  }));
}
