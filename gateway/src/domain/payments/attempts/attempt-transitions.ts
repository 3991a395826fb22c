/**
 * The complete state machine of a payment attempt, as two tables. The first maps each report to an event, by reporter. The
 * second maps position and event to the next position. plan-attempt.ts turns a transition into a plan. No other code may
 * decide.
 */
import type { FailReason } from '../../deposits/deposit.ts';
import type { AttemptState } from './payment-attempt.ts';

/**
 * The reporter: how the gateway received the report.
 * - `provider`: a response to a call, a response to a query about an attempt that waits for the provider, or a notification.
 * - `inquiry`: a response to a query while the payer still has to act.
 * - `deadline`, `payer`: the provider's final response about an attempt whose payer did not act in time, or leaves it.
 * - `operator`: the operator, on the provider's evidence.
 */
export const ATTEMPT_REPORTERS = ['provider', 'inquiry', 'deadline', 'payer', 'operator'] as const;
export type AttemptReporter = (typeof ATTEMPT_REPORTERS)[number];

/**
 * The report: the kind of a response (payment-rail.ts), with two distinctions.
 * - `repeated`: a payment whose money is already recorded. `paid` brings new money.
 * - `never_got`: proof that the provider never received the attempt. `not_found` alone is no proof.
 */
export const ATTEMPT_REPORTS = [
  'paid',
  'repeated',
  'refused',
  'step',
  'pending',
  'not_accepted',
  'unknown',
  'not_found',
  'never_got',
  'no_effect',
] as const;
export type AttemptReport = (typeof ATTEMPT_REPORTS)[number];

/**
 * The event that a report causes. `doubted`: the outcome is unknown. `abandoned`: the attempt waited only for its payer.
 * `noted`: the report does not concern an outcome. `no_news`: the provider said nothing about the payer's step, which stays.
 */
export const ATTEMPT_EVENTS = [
  'paid',
  'repeated',
  'refused',
  'not_accepted',
  'never_got',
  'step',
  'pending',
  'doubted',
  'abandoned',
  'noted',
  'no_news',
] as const;
export type AttemptEvent = (typeof ATTEMPT_EVENTS)[number];

type Meanings = Readonly<Record<AttemptReport, AttemptEvent>>;

const WORD: Meanings = {
  paid: 'paid',
  repeated: 'repeated',
  refused: 'refused',
  step: 'step',
  pending: 'pending',
  not_accepted: 'not_accepted',
  unknown: 'doubted',
  not_found: 'doubted',
  never_got: 'never_got',
  no_effect: 'noted',
};

export const ATTEMPT_MEANINGS: Readonly<Record<AttemptReporter, Meanings>> = {
  provider: WORD,
  // The payer already has the step, and a provider that does not respond does not cancel it.
  inquiry: { ...WORD, step: 'no_news', unknown: 'no_news', not_found: 'no_news', never_got: 'no_news' },
  // An open step ends without the payer. The gateway queries again if the provider does not respond.
  deadline: {
    ...WORD,
    step: 'abandoned',
    unknown: 'no_news',
    not_found: 'abandoned',
    never_got: 'abandoned',
    no_effect: 'abandoned',
  },
  payer: {
    ...WORD,
    step: 'abandoned',
    unknown: 'abandoned',
    not_found: 'abandoned',
    never_got: 'abandoned',
    no_effect: 'abandoned',
  },
  operator: WORD,
};

type Row = Readonly<Partial<Record<AttemptEvent, AttemptState>>>;

/** A provider's outcome ends an attempt in every position in flight. */
const OUTCOMES = { paid: 'paid', repeated: 'paid', refused: 'refused', never_got: 'refused' } as const;

/**
 * A payment overrides every earlier report. No other event leaves `paid` or `refused`. An event without an entry has no
 * effect. An event that keeps the position is recorded, and postpones the next query.
 */
export const ATTEMPT_TRANSITIONS: Readonly<Record<AttemptState, Row>> = {
  starting: {
    ...OUTCOMES,
    // Proof about this call only. Once an earlier call may have reached the provider, it proves nothing.
    not_accepted: 'refused',
    step: 'acting',
    pending: 'deciding',
    doubted: 'unknown',
    abandoned: 'starting',
    noted: 'starting',
    no_news: 'starting',
  },
  acting: {
    ...OUTCOMES,
    not_accepted: 'unknown',
    step: 'acting',
    pending: 'deciding',
    doubted: 'unknown',
    abandoned: 'abandoned',
    noted: 'acting',
    no_news: 'acting',
  },
  deciding: {
    ...OUTCOMES,
    not_accepted: 'deciding',
    step: 'deciding',
    pending: 'deciding',
    doubted: 'deciding',
    abandoned: 'deciding',
    noted: 'deciding',
    no_news: 'deciding',
  },
  unknown: {
    ...OUTCOMES,
    not_accepted: 'unknown',
    step: 'acting',
    pending: 'deciding',
    doubted: 'unknown',
    abandoned: 'unknown',
    noted: 'unknown',
    no_news: 'unknown',
  },
  paid: { paid: 'paid' },
  refused: { paid: 'paid', repeated: 'paid' },
  abandoned: { ...OUTCOMES, pending: 'deciding' },
};

/** The event of the deposit when its last allowed attempt reaches this position. Without an entry, the deposit stays open. */
export const AFTER_LAST_ATTEMPT: Readonly<Partial<Record<AttemptState, Exclude<FailReason, 'displaced'>>>> = {
  refused: 'declined',
};
