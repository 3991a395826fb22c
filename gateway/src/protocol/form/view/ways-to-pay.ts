/**
 * The payment types that the payer can use now: those that request and merchant allow, minus those that earlier
 * attempts ruled out.
 */
import type { FormPaymentType } from '../../../domain/methods/payment-type.ts';
import type { PaymentAttempt } from '../../../domain/payments/payment-attempt.ts';
import { choosePaymentType } from '../request/choose-payment-type.ts';
import type { ViewFacts } from './view-facts.ts';

export interface WaysToPay {
  readonly types: readonly FormPaymentType[];
  /** The preselected type. Null if the payer must choose. */
  readonly preset: FormPaymentType | null;
}

const NO_WAY: WaysToPay = { types: [], preset: null };

export function waysToPay({ record, merchant, rails }: ViewFacts): WaysToPay {
  const { session, attempts } = record;
  const { money, parameters } = session;
  const { form_attempts, form_other_type } = merchant.settings;
  if (merchant.state === 'suspended' || attempts.length >= form_attempts) return NO_WAY;
  const chosen = choosePaymentType({ merchant, money, parameters }, rails);
  if (!chosen.ok) return NO_WAY;
  const { possibleTypes, paymentType } = chosen.value;
  const last = attempts.at(-1);
  const types = possibleTypes.filter((type) => last === undefined || mayFollow(last, type, form_other_type === 'on'));
  const preset = types.length === 1 ? (types[0] ?? null) : (types.find((type) => type === paymentType) ?? null);
  return { types, preset };
}

/** An attempt that the payer abandoned rules nothing out. */
function mayFollow({ state, paymentType, canRetry }: PaymentAttempt, type: FormPaymentType, isOtherAllowed: boolean) {
  if (state === 'abandoned') return true;
  return type === paymentType ? canRetry : isOtherAllowed;
}

/** Reports whether the payer could choose another type after abandoning this attempt. */
export function canChangeWay(facts: ViewFacts, acting: PaymentAttempt): boolean {
  const { record } = facts;
  const attempts = record.attempts.map((attempt) => (attempt === acting ? asAbandoned(attempt) : attempt));
  return waysToPay({ ...facts, record: { ...record, attempts } }).types.some((type) => type !== acting.paymentType);
}

function asAbandoned(attempt: PaymentAttempt): PaymentAttempt {
  return { ...attempt, state: 'abandoned' };
}
