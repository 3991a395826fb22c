/** Why a payout uses its rail, left a rail, or waits for approval. The contract has the messages of the codes. */
export type HistoryReason =
  | readonly [code: 'only_route' | 'only_rail' | 'first_rail' | 'cheapest' | 'first_rank', rail: string]
  | readonly [code: 'drawn', rail: string, weight: string, total: string]
  | readonly [code: 'paused' | 'closed', rail: string]
  | readonly [code: 'others', ...rails: string[]]
  | readonly [code: 'no_rail' | 'rail_of_payment' | 'rail_of_transfer' | 'policy']
  | RailObstacle
  | readonly [code: 'rerouted', from: string, to: string, note: string]
  /** A rerouting as its merchant sees it. */
  | readonly [code: 'moved', from: string, to: string]
  | readonly [code: 'above', amount: string];

/** Why a rail cannot carry the payout. */
export type RailObstacle =
  | readonly [code: 'not_configured' | 'real_money', rail: string]
  | readonly [code: 'amount_from' | 'amount_up_to', rail: string, amount: string]
  | readonly [code: 'needs', rail: string, field: string]
  | readonly [code: 'cards_only', rail: string, scheme: string];

/** The events whose entries have reasons instead of a detail. Earlier versions wrote a text, which never begins with [. */
export const EVENTS_WITH_REASONS: ReadonlySet<string> = new Set(['accepted', 'rerouted', 'approval_required']);
