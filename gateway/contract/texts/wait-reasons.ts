/** Why a payout, a deposit or a callback waits. The pages import this list without the schemas. */
export const WAIT_REASONS = [
  // A payout.
  'awaiting_approval',
  'queued',
  'sending',
  'at_bank',
  'unknown',
  'paid_elsewhere',
  'query_would_send',
  'recovering',
  'seal_broken',
  'paused',
  'rail_down',
  'closed',
  'rail_missing',
  // A deposit.
  'provider',
  'step',
  'retry',
  'decision',
  'silence',
  'overdue',
  'payer',
  'grace',
  'closing',
  'operator',
  // A callback.
  'first_attempt',
  'in_flight',
  'next_attempt',
  'server_failing',
  'undelivered',
] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];

/** The English texts of a reason. */
export interface WaitTexts {
  readonly waitsFor: string;
  readonly next: string;
  readonly merchantCan: string;
}
