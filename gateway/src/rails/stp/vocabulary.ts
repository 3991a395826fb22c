/**
 * Tables of STP's codes for the state of a transfer and for the reason of a return.
 *
 * Confirmed by a public client's catalogue: the codes of the states. Also confirmed by recorded responses: LQ, TLQ, TCL, CN,
 * D, L and A. Confirmed by a client's test data: CCO. Confirmed by one client in production: the words of the state callback.
 * Confirmed by a provider's public catalogue of SPEI and by one client: the reasons of a return. Not confirmed: what the
 * states outside these tables mean for the money. They are unknown, and the rail queries again.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';
import { declined } from '../kit/rail-answers.ts';

/** The meaning of a state for the money: `settled` arrived at its destination, `returned` and `cancelled` did not. */
export type SpeiState = 'pending' | 'settled' | 'returning' | 'returned' | 'cancelled' | 'unknown';

const STATES: Readonly<Record<Exclude<SpeiState, 'unknown'>, readonly string[]>> = {
  pending: ['C', 'PL', 'L', 'PA', 'A', 'E', 'EA', 'R', 'TC', 'TL', 'TA', 'XC'],
  settled: ['LQ', 'TLQ', 'CXO', 'CCE', 'CCO', 'Success'],
  returning: ['XD', 'XR'],
  returned: ['D', 'RE', 'Refund'],
  cancelled: ['CN', 'TCL', 'CL', 'CA', 'RL', 'RA', 'RB', 'EL', 'Cancel', 'Decline'],
};

const BY_STATE: ReadonlyMap<string, SpeiState> = new Map(
  Object.entries(STATES).flatMap(([state, words]) => words.map((word) => [word, state as SpeiState])),
);

export function stateOf(estado: string): SpeiState {
  return BY_STATE.get(estado) ?? 'unknown';
}

/** SPEI's payment types of returns (one client's code; 0 also by a recorded response). */
const RETURN_TYPES: ReadonlySet<string> = new Set(['0', '16', '17', '18', '23', '24']);

export function isReturnType(tipoPago: string): boolean {
  return RETURN_TYPES.has(tipoPago);
}

/** The reason for sending back an abono to an account that is not ours. */
export const NO_SUCH_ACCOUNT = 1;

const RETURN_REASONS: ReadonlyMap<string, string> = new Map([
  ['1', 'the account does not exist'],
  ['2', 'the account is blocked'],
  ['3', 'the account is closed'],
  ['5', 'the account is in another currency'],
  ['6', 'the account is not of that bank'],
  ['14', 'information needed for the payment is missing'],
  ['15', 'wrong payment type'],
  ['16', 'wrong operation type'],
  ['17', 'the account does not accept such payments'],
  ['19', 'a character is not allowed'],
  ['20', 'the account would exceed its balance limit'],
  ['21', 'the account would exceed its monthly limit'],
  ['22', 'no account belongs to that mobile number'],
  ['23', 'the additional account does not accept these payments'],
  ['24', 'the additional information has an invalid structure'],
  ['25', 'the account is full and no instruction says where else to pay'],
  ['26', 'returned under the agreement that protects the sending client'],
  ['27', 'the receiving bank does not accept this optional payment type'],
  ['28', 'a CoDi payment arrived without its notification'],
  ['30', 'the tracking key was used before on this day'],
  ['31', 'the certificate of the sending bank has expired'],
]);

/**
 * Our reason for each reason of SPEI why an order did not reach its recipient. A reason outside this table is the
 * bank's own decision.
 */
const DECLINE_REASONS: ReadonlyMap<string, BlockedReason> = new Map([
  ...['1', '2', '3', '5', '6', '17', '22', '23'].map((reason) => [reason, 'invalid_beneficiary'] as const),
  ...['20', '21', '25'].map((reason) => [reason, 'limit_or_risk'] as const),
]);

export function declineReasonOf(causa: string): BlockedReason {
  return DECLINE_REASONS.get(plain(causa)) ?? 'bank_declined';
}

/** Returns the meaning of a `causaDevolucion`. A string in place of a code is returned as it is. */
export function returnReason(causa: string): string {
  return RETURN_REASONS.get(plain(causa)) ?? causa;
}

export type OrderEnd = Extract<RailAnswer, { kind: 'executed' | 'declined' | 'reversed' }>;

/** Returns the outcome of an order of ours. Undefined while the order is pending. */
export function endOf(order: {
  readonly estado: string;
  readonly state: SpeiState;
  readonly causaDevolucion: string;
}): OrderEnd | undefined {
  const { estado, state, causaDevolucion } = order;
  const reason = returnReason(causaDevolucion) || `STP reports ${estado}`;
  switch (state) {
    case 'settled':
      return { kind: 'executed' };
    case 'cancelled':
      return declined(declineReasonOf(causaDevolucion), reason);
    case 'returned':
      return { kind: 'reversed', reason };
    case 'pending':
    case 'returning':
    case 'unknown':
      return undefined;
  }
}

const plain = (causa: string) => causa.replace(/^0+(?=\d)/, '');
