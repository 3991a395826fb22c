/**
 * Tables of DT One's states and reasons of a transaction, with their meaning for a payout.
 *
 * Confirmed by DT One's description of its interface and its pages: the classes and their numbers (there is no 6), and
 * that logic should depend on the class. 1, 2 and 5 are not final. REJECTED comes from DT One, DECLINED from the
 * operator. DT One may reverse a COMPLETED transaction (REVERSED). Also the messages; one outside the table changes
 * only the code of a decline. Not confirmed: the meaning of the five-digit numbers beside the messages, which the code
 * ignores.
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

/** Undefined if DT One's pages have no such class. */
export function stateOf(classId: string): TransactionState | undefined {
  return STATES.get(classId);
}

const CREATED = '1';
const CANCELLED = '4';

/** By the beginning of the text after the class in a message. */
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
  /** In DT One's alphabet. Empty if there is no message. */
  readonly message: string;
}

export type PayoutWord = Extract<RailStatus, { kind: TransactionState }>;

/** Undefined if DT One's pages have no such class. */
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
