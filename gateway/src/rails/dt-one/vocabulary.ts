/**
 * Tables of DT One's states and reasons of a transaction, with their meaning for a payout.
 *
 * Confirmed by DT One's API description and its pages: the classes and their numbers (there is no 6), and that logic should
 * depend on the class. 1, 2 and 5 are not final. REJECTED comes from DT One, DECLINED from the operator. DT One may reverse a
 * COMPLETED transaction (REVERSED). Also the messages; one outside the table changes only the code of a decline. Not
 * confirmed: the meaning of the five-digit numbers that accompany the messages, which the code ignores.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { ListedPayout } from '../../domain/payouts/payout-lister.ts';
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { declined } from '../kit/rail-answers.ts';

export type TransactionState = ListedPayout['state'];

const STATES: ReadonlyMap<string, TransactionState> = new Map([
  ['1', 'pending'],
  ['2', 'pending'],
  ['3', 'declined'],
  ['4', 'declined'],
  ['5', 'pending'],
  ['7', 'executed'],
  ['8', 'reversed'],
  ['9', 'declined'],
]);

/** Returns undefined if DT One's pages have no such class. */
export function stateOf(classId: string): TransactionState | undefined {
  return STATES.get(classId);
}

const CREATED = '1';
const CANCELLED = '4';

/** The reasons by the beginning of the message's text after the class. */
export const DECLINE_REASONS: readonly (readonly [begins: string, because: BlockedReason])[] = [
  ['INVALID-CREDIT-PARTY', 'invalid_beneficiary'],
  ['BARRED-CREDIT-PARTY', 'invalid_beneficiary'],
  ['INELIGIBLE-CREDIT-PARTY', 'invalid_beneficiary'],
  ['LIMITATIONS-ON-', 'limit_or_risk'],
  ['DUPLICATED-TRANSACTION', 'bank_declined'],
  ['OPERATOR-CURRENTLY-UNAVAILABLE', 'bank_declined'],
  ['EXCEPTION', 'bank_declined'],
  ['INSUFFICIENT-BALANCE', 'unspecified'],
  ['INVALID-DEBIT-PARTY', 'unspecified'],
  ['BARRED-DEBIT-PARTY', 'unspecified'],
];

const PLAIN: Readonly<Record<string, BlockedReason>> = {
  '3': 'unspecified',
  [CANCELLED]: 'cancelled',
  '9': 'bank_declined',
};

export interface TransactionStatus {
  readonly classId: string;
  /** The message in DT One's alphabet. Empty if there is none. */
  readonly message: string;
}

export type PayoutWord = Extract<RailStatus, { kind: TransactionState }>;

/** Returns undefined if DT One's pages have no such class. */
export function meaningOf({ classId, message }: TransactionStatus): PayoutWord | undefined {
  const reason = `DT One reports ${message || `class ${classId}`}`;
  switch (stateOf(classId)) {
    case 'executed':
      return { kind: 'executed' };
    case 'declined':
      return declined(reasonOf(classId, message), reason);
    case 'reversed':
      return { kind: 'reversed', reason };
    case 'pending':
      return classId === CREATED
        ? { kind: 'pending', note: 'DT One has it and has not confirmed it' }
        : { kind: 'pending' };
    case undefined:
      return undefined;
  }
}

function reasonOf(classId: string, message: string): BlockedReason {
  const why = message.replace(/^(?:REJECTED|DECLINED)-?/, '');
  return DECLINE_REASONS.find(([begins]) => why.startsWith(begins))?.[1] ?? PLAIN[classId] ?? 'unspecified';
}
