/** The conducts of a payout, as a table: its automatic steps, each after a delay. */
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
  /** `by_fault` uses the reason in the fault `fail_reason`. */
  readonly reason: Reason | '' | 'by_fault';
}

const PROCESSING: Step = { status: 'processing', reason: 'payout_bank_processing' };
const PROCESSED: Step = { status: 'processed', reason: 'payout_processed' };
const FAILED: Step = { status: 'failed', reason: 'by_fault' };
const REVERSED: Step = { status: 'reversed', reason: 'by_fault' };

export const CONDUCTS = {
  process: [PROCESSING, PROCESSED],
  process_at_once: [PROCESSED],
  fail: [PROCESSING, FAILED],
  fail_at_once: [FAILED],
  reverse: [PROCESSING, PROCESSED, REVERSED],
  reverse_unprocessed: [PROCESSING, REVERSED],
  fail_then_reverse: [PROCESSING, FAILED, REVERSED],
  reject: [
    { status: 'pending', reason: 'pending_approval' },
    { status: 'rejected', reason: '' },
  ],
  bank_down: [
    { status: 'queued', reason: 'beneficiary_bank_down' },
    { status: 'failed', reason: 'beneficiary_bank_offline' },
  ],
  bank_back: [{ status: 'queued', reason: 'beneficiary_bank_down' }, PROCESSING, PROCESSED],
  hold: [PROCESSING],
} as const satisfies Readonly<Record<string, readonly [Step, ...Step[]]>>;

export type ConductName = keyof typeof CONDUCTS;

/** Returns undefined if no automatic step follows. */
export function stepOf(conduct: ConductName, number: number): Step | undefined {
  const steps: readonly Step[] = CONDUCTS[conduct];
  return steps[number];
}

/** Manual actions at RazorpayX or a bank, and the status that a payout must have for each. */
export const ACTS = {
  process: { from: ['pending', 'queued', 'processing'], to: PROCESSED },
  fail: { from: ['queued', 'processing'], to: FAILED },
  reverse: { from: ['processing', 'processed', 'failed'], to: REVERSED },
  cancel: { from: ['queued'], to: { status: 'cancelled', reason: '' } },
} as const satisfies Acts<Status, Step>;
