/** The history of an object, its reasons, and why it waits, as the management API shows them. */
import type {
  Explanation as ExplanationView,
  HistoryEntry as HistoryView,
} from '../../../../contract/parts/answer-parts.ts';
import { HISTORY_REASONS } from '../../../../contract/texts/history-reasons.ts';
import { ROW_REASONS } from '../../../../contract/texts/row-reasons.ts';
import type { WaitReason } from '../../../../contract/texts/wait-reasons.ts';
import type { WaitTexts } from '../../../../contract/texts/wait-texts.ts';
import type { RowReason } from '../../../domain/batches/batch.ts';
import type { HistoryReason } from '../../../domain/payouts/history-reason.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { Explanation } from '../../../foundation/explanation.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';
import type { ShowActor } from './mask.ts';

/** `texts` are the contract's messages for the object. */
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

/** Returns the English messages of reasons, in one line. */
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
