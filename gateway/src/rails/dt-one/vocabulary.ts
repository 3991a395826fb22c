/**
 * DT One's words for where a transaction stands and why, as tables, and what they mean for a payout of ours.
 *
 * Confirmed by DT One's description of its interface and its pages: the classes and their numbers (there is no 6), that logic
 * is to rest on the class; 1, 2 and 5 are no ends; REJECTED is DT One's own word, DECLINED the operator's; COMPLETED may be
 * followed by REVERSED, by DT One's hand; the messages. One that is not in the table changes only the code of a decline. Not
 * confirmed: the meaning of the numbers of five digits beside the messages, which are not looked at.
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { ListedPayout } from '../../domain/payouts/payout-lister.ts';
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { declined } from '../kit/payout-answers.ts';

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

/** Undefined: DT One's pages have no such class. */
export function stateOf(classId: string): TransactionState | undefined {
  return STATES.get(classId);
}

const CREATED = '1';
const CANCELLED = '4';

/** By the beginning of what follows the class in a message. */
export const DECLINE_CODES: readonly (readonly [begins: string, code: BlockedCode])[] = [
  ['INVALID-CREDIT-PARTY', '52'],
  ['BARRED-CREDIT-PARTY', '52'],
  ['INELIGIBLE-CREDIT-PARTY', '52'],
  ['LIMITATIONS-ON-', '53'],
  ['DUPLICATED-TRANSACTION', '51'],
  ['OPERATOR-CURRENTLY-UNAVAILABLE', '51'],
  ['EXCEPTION', '51'],
  ['INSUFFICIENT-BALANCE', '50'],
  ['INVALID-DEBIT-PARTY', '50'],
  ['BARRED-DEBIT-PARTY', '50'],
];

const PLAIN: Readonly<Record<string, BlockedCode>> = { '3': '50', [CANCELLED]: '55', '9': '51' };

export interface TransactionStatus {
  readonly classId: string;
  /** In DT One's alphabet; empty where it gives none. */
  readonly message: string;
}

export type PayoutWord = Extract<RailStatus, { kind: TransactionState }>;

/** Undefined: no class of DT One's pages. */
export function meaningOf({ classId, message }: TransactionStatus): PayoutWord | undefined {
  const reason = `DT One says ${message || `class ${classId}`}`;
  switch (stateOf(classId)) {
    case 'executed':
      return { kind: 'executed' };
    case 'declined':
      return declined(codeOf(classId, message), reason);
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

function codeOf(classId: string, message: string): BlockedCode {
  const why = message.replace(/^(?:REJECTED|DECLINED)-?/, '');
  return DECLINE_CODES.find(([begins]) => why.startsWith(begins))?.[1] ?? PLAIN[classId] ?? '50';
}
