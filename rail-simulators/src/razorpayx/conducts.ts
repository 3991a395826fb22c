/** The possible courses of a payout, as a table: its automatic steps, each after a delay. */
import type { Acts } from '../kernel/acts.ts';
import type { Reason } from './reasons.ts';

export type Status =
  | 'pending'
  | 'queued'
  | 'processing'
  | 'processed'
  | 'reversed'
  | 'failed'
  | 'rejected'
  | 'cancelled';

export interface Step {
  readonly status: Status;
  /** `by_fault`: the reason in the fault `fail_reason`. */
  readonly reason: Reason | '' | 'by_fault';
}

const processing: Step = { status: 'processing', reason: 'payout_bank_processing' };
const processed: Step = { status: 'processed', reason: 'payout_processed' };
const failed: Step = { status: 'failed', reason: 'by_fault' };
const reversed: Step = { status: 'reversed', reason: 'by_fault' };

export const conducts = {
  process: [processing, processed],
  process_at_once: [processed],
  fail: [processing, failed],
  fail_at_once: [failed],
  reverse: [processing, processed, reversed],
  reverse_unprocessed: [processing, reversed],
  fail_then_reverse: [processing, failed, reversed],
  reject: [
    { status: 'pending', reason: 'pending_approval' },
    { status: 'rejected', reason: '' },
  ],
  bank_down: [
    { status: 'queued', reason: 'beneficiary_bank_down' },
    { status: 'failed', reason: 'beneficiary_bank_offline' },
  ],
  bank_back: [{ status: 'queued', reason: 'beneficiary_bank_down' }, processing, processed],
  hold: [processing],
} as const satisfies Readonly<Record<string, readonly [Step, ...Step[]]>>;

export type ConductName = keyof typeof conducts;

/** Returns undefined where nothing follows by itself. */
export function stepOf(conduct: ConductName, number: number): Step | undefined {
  const steps: readonly Step[] = conducts[conduct];
  return steps[number];
}

/** Manual actions at RazorpayX or a bank, and the status that a payout must have for each. */
export const acts = {
  process: { from: ['pending', 'queued', 'processing'], to: processed },
  fail: { from: ['queued', 'processing'], to: failed },
  reverse: { from: ['processing', 'processed', 'failed'], to: reversed },
  cancel: { from: ['queued'], to: { status: 'cancelled', reason: '' } },
} as const satisfies Acts<Status, Step>;
