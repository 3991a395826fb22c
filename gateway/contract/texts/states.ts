/** The states of each noun, in the order of the domain. The pages import these lists without the schemas. */
export const PAYOUT_STATES = ['pending', 'success', 'blocked'] as const;
export const PAYOUT_STAGES = ['awaiting_approval', 'queued', 'sending', 'at_bank', 'unknown'] as const;
export const DEPOSIT_STATES = ['created', 'pending', 'success', 'fail'] as const;
export const ATTEMPT_STATES = ['starting', 'acting', 'deciding', 'unknown', 'paid', 'refused', 'abandoned'] as const;
export const TRANSFER_STATES = [
  'credited',
  'held',
  'returning',
  'returned',
  'given_up',
  'sent_back',
  'taken_back',
] as const;
export const CALLBACK_STATES = ['due', 'delivered', 'undelivered', 'not_wanted'] as const;
export const BATCH_STATES = ['checking', 'ready', 'submitted', 'finished', 'cancelled'] as const;
export const ROW_STATES = ['unchecked', 'ready', 'faulty', 'accepting', 'accepted', 'rejected', 'cancelled'] as const;

/** The order of a progress bar: the finished rows first, and last the rows that get no payout. */
export const ROW_STATES_BY_PROGRESS: readonly (typeof ROW_STATES)[number][] = [
  'accepted',
  'accepting',
  'ready',
  'unchecked',
  'faulty',
  'rejected',
  'cancelled',
];
