/**
 * The complete state machine of a deposit as tables: the mismatch of money by position, reporter and fit; whether a mismatch
 * is credited; and the next position by position and event. plan-receipt.ts, plan-failure.ts and plan-displacement.ts turn a
 * transition into a plan. No other code may decide.
 */
import { type Deposit, type DepositState, type IncomingTransfer, isDisplaced, type Mismatch } from './deposit.ts';

/** The position of a deposit: its state, and whether it lost its order after its final state. `open` is pending. */
export const DEPOSIT_POSITIONS = ['created', 'open', 'paid', 'failed', 'paid_displaced', 'failed_displaced'] as const;
type DepositPosition = (typeof DEPOSIT_POSITIONS)[number];

type Positioned = Pick<Deposit, 'state' | 'displacedBy' | 'failReason'>;

const KEPT_ORDER = { created: 'created', pending: 'open', success: 'paid', fail: 'failed' } as const;
const LOST_ORDER = {
  created: 'created',
  pending: 'open',
  success: 'paid_displaced',
  fail: 'failed_displaced',
} as const;

export function positionOf(deposit: Positioned): DepositPosition {
  return (isDisplaced(deposit) ? LOST_ORDER : KEPT_ORDER)[deposit.state];
}

const STATE_AT: Readonly<Record<DepositPosition, DepositState>> = {
  created: 'created',
  open: 'pending',
  paid: 'success',
  failed: 'fail',
  paid_displaced: 'success',
  failed_displaced: 'fail',
};

/**
 * - `credited`, `held`: money arrived, and went to the merchant or to suspense.
 * - `declined`: the last allowed attempt was declined. `cancelled`: the payer cancelled. `expired`: its time has passed.
 * - `displaced`: a request with precedence takes its order.
 */
export const DEPOSIT_EVENTS = ['credited', 'held', 'declined', 'cancelled', 'expired', 'displaced'] as const;
export type DepositEvent = (typeof DEPOSIT_EVENTS)[number];

/** Money may arrive in every position. */
type MoneyEvent = 'credited' | 'held';
type Row = Readonly<Record<MoneyEvent, DepositPosition> & Partial<Record<DepositEvent, DepositPosition>>>;

const ENDS = { declined: 'failed', cancelled: 'failed', expired: 'failed', displaced: 'failed_displaced' } as const;

/**
 * No event changes a final state. Money that arrives later is recorded without a change of the state. An event without an
 * entry has no effect, so a failed deposit that loses its order records nothing.
 */
export const DEPOSIT_TRANSITIONS: Readonly<Record<DepositPosition, Row>> = {
  created: { credited: 'created', held: 'created', ...ENDS },
  open: { credited: 'paid', held: 'open', ...ENDS },
  paid: { credited: 'paid', held: 'paid', displaced: 'paid_displaced' },
  failed: { credited: 'failed', held: 'failed' },
  paid_displaced: { credited: 'paid_displaced', held: 'paid_displaced' },
  failed_displaced: { credited: 'failed_displaced', held: 'failed_displaced' },
};

/** The states that an event can end. */
export const OPEN_STATES: readonly DepositState[] = DEPOSIT_POSITIONS.filter(
  (position) => 'expired' in DEPOSIT_TRANSITIONS[position],
).map((position) => STATE_AT[position]);

/** Returns undefined for an event that the gateway ignores. It records any other event, even one that keeps the state. */
export function stateAfter(deposit: Positioned, event: MoneyEvent): DepositState;
export function stateAfter(deposit: Positioned, event: DepositEvent): DepositState | undefined;
export function stateAfter(deposit: Positioned, event: DepositEvent): DepositState | undefined {
  const position = DEPOSIT_TRANSITIONS[positionOf(deposit)][event];
  return position && STATE_AT[position];
}

/** The money compared with the requested amount. `late`: the bank booked it after the grace period. */
export const MONEY_FITS = ['exact', 'other_payer', 'short', 'over', 'late', 'other_currency'] as const;
export type MoneyFit = (typeof MONEY_FITS)[number];

/** Uses the time at which the bank booked the transfer. */
export function fitOf({ money, closesAt }: Deposit, transfer: IncomingTransfer): MoneyFit {
  if (transfer.money.currency !== money.currency) return 'other_currency';
  if (transfer.bookedAt > closesAt) return 'late';
  if (transfer.money.minor < money.minor) return 'short';
  if (transfer.money.minor > money.minor) return 'over';
  return transfer.isFromAnother === true ? 'other_payer' : 'exact';
}

/** `rail`: a transfer arrives. `operator`: the operator credits held money. */
export const MONEY_REPORTERS = ['rail', 'operator'] as const;
type MoneyReporter = (typeof MONEY_REPORTERS)[number];

type Mismatches = Readonly<Record<MoneyFit, Mismatch | null>>;

const AS_ASKED: Mismatches = {
  exact: null,
  other_payer: 'other_payer',
  short: 'short',
  over: 'over',
  late: 'late',
  other_currency: 'other_currency',
};

function whatever(mismatch: Mismatch): Mismatches {
  return {
    exact: mismatch,
    other_payer: mismatch,
    short: mismatch,
    over: mismatch,
    late: mismatch,
    other_currency: 'other_currency',
  };
}

const AS_OPEN = { rail: AS_ASKED, operator: AS_ASKED };

/**
 * Null means that the money is the deposit's own payment. Money of a displaced deposit counts as displaced, whether it arrived
 * before or after the displacing request.
 */
export const MISMATCHES: Readonly<Record<DepositPosition, Readonly<Record<MoneyReporter, Mismatches>>>> = {
  created: AS_OPEN,
  open: AS_OPEN,
  paid: { rail: whatever('twice'), operator: whatever('twice') },
  failed: { rail: whatever('late'), operator: whatever('late') },
  paid_displaced: { rail: whatever('displaced'), operator: whatever('twice') },
  failed_displaced: { rail: whatever('displaced'), operator: whatever('late') },
};

export function mismatchOf(deposit: Deposit, transfer: IncomingTransfer, reporter: MoneyReporter): Mismatch | null {
  return MISMATCHES[positionOf(deposit)][reporter][fitOf(deposit, transfer)];
}

/**
 * What happens to arriving money, by its mismatch. `policy`: the merchant's mismatch_policy decides.
 *
 * No merchant requested money in a different currency, or for a displaced deposit: only its payer chose the amount. Money that
 * matches except for its payer falls only under other_payer_policy.
 */
export const ADMISSIONS: Readonly<Record<Mismatch | 'none', 'credit' | 'policy' | 'hold'>> = {
  none: 'credit',
  other_payer: 'credit',
  short: 'policy',
  over: 'policy',
  late: 'policy',
  twice: 'policy',
  other_currency: 'hold',
  unmatched: 'hold',
  displaced: 'hold',
};
