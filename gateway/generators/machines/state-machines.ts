/** The state machines of payouts, batches, deposits and their parts, callbacks, merchants and proposals, from their transition tables. */
import { BATCH_STATES, ROW_STATES } from '../../src/domain/batches/batch.ts';
import { BATCH_TRANSITIONS, ROW_TRANSITIONS } from '../../src/domain/batches/batch-transitions.ts';
import { CALLBACK_STATES } from '../../src/domain/callbacks/callback.ts';
import { CALLBACK_TRANSITIONS } from '../../src/domain/callbacks/callback-transitions.ts';
import { TRANSFER_STATES } from '../../src/domain/deposits/deposit.ts';
import { DEPOSIT_POSITIONS, DEPOSIT_TRANSITIONS } from '../../src/domain/deposits/deposit-transitions.ts';
import { TRANSFER_TRANSITIONS } from '../../src/domain/deposits/transfer-transitions.ts';
import { MERCHANT_STATES } from '../../src/domain/merchants/merchant.ts';
import { MERCHANT_TRANSITIONS } from '../../src/domain/merchants/merchant-transitions.ts';
import { ATTEMPT_TRANSITIONS } from '../../src/domain/payments/attempts/attempt-transitions.ts';
import { ATTEMPT_STATES, isInFlight } from '../../src/domain/payments/attempts/payment-attempt.ts';
import { PAYOUT_STAGES } from '../../src/domain/payouts/payout.ts';
import {
  PAYOUT_TRANSITIONS,
  POSITIONS,
  type Position,
  REPORTERS,
  STAGE_TRANSITIONS,
  type TransitionStep,
} from '../../src/domain/payouts/payout-transitions.ts';
import { PROPOSAL_STATES } from '../../src/domain/proposals/proposal.ts';
import { PROPOSAL_TRANSITIONS } from '../../src/domain/proposals/proposal-transitions.ts';

export interface StateMachine {
  readonly title: string;
  readonly description: string;
  readonly positions: readonly { readonly name: string; readonly isOpen: boolean }[];
  readonly transitions: readonly Transition[];
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  /** Undefined if the reporter does not matter. */
  readonly reporter?: string;
}

const PAYOUT_NEXT: Readonly<Record<TransitionStep, (from: Position) => Position>> = {
  approve: () => 'queued',
  lapse: () => 'blocked',
  succeed: () => 'success',
  succeed_before: () => 'success',
  block: () => 'blocked',
  block_reversed: () => 'blocked',
  reverse: (from) => from,
  execute_late: () => 'blocked_paid',
  contradict: (from) => (from === 'with_bank' ? 'paid_with_bank' : from),
};

const OPEN_PAYOUTS: readonly Position[] = ['awaiting_approval', 'queued', 'with_bank', 'paid_queued', 'paid_with_bank'];

const payout: StateMachine = {
  title: 'The transitions of a payout',
  description:
    'Each arrow is a transition. Its label has the reporter and the event: own, the current rail or the gateway; payer, the rail that reported that it paid; earlier, any other rail. The stages of a payout show how it moves between queued and with bank.',
  positions: POSITIONS.map((name) => ({ name, isOpen: OPEN_PAYOUTS.includes(name) })),
  transitions: POSITIONS.flatMap((from) =>
    REPORTERS.flatMap((reporter) =>
      Object.entries(PAYOUT_TRANSITIONS[from][reporter]).map(([event, step]) => ({
        from,
        to: PAYOUT_NEXT[step](from),
        reporter,
        event,
      })),
    ),
  ),
};

const deposit: StateMachine = {
  title: 'The transitions of a deposit',
  description:
    'Each arrow is a transition, with its events. Money that comes for an ended deposit is credited beside it or held, and the deposit stays as it ended.',
  positions: DEPOSIT_POSITIONS.map((name) => ({ name, isOpen: name === 'created' || name === 'open' })),
  transitions: DEPOSIT_POSITIONS.flatMap((from) =>
    Object.entries(DEPOSIT_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const attempt: StateMachine = {
  title: 'The transitions of a payment attempt',
  description:
    'Each arrow is a transition, with its events. A payment overrides every earlier report. An ended attempt ignores every event that is not shown.',
  positions: ATTEMPT_STATES.map((name) => ({ name, isOpen: isInFlight({ state: name }) })),
  transitions: ATTEMPT_STATES.flatMap((from) =>
    Object.entries(ATTEMPT_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const STAGE_POSITIONS = ['new', ...PAYOUT_STAGES] as const;

const stage: StateMachine = {
  title: 'The stages of a pending payout',
  description:
    'Each arrow is a transition, with its events. A settlement ends the payout in every stage, as the transitions of a payout show.',
  positions: STAGE_POSITIONS.map((name) => ({ name, isOpen: true })),
  transitions: STAGE_POSITIONS.flatMap((from) =>
    Object.entries(STAGE_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const batch: StateMachine = {
  title: 'The transitions of a batch',
  description: 'Each arrow is a transition, with its events.',
  positions: BATCH_STATES.map((name) => ({ name, isOpen: Object.keys(BATCH_TRANSITIONS[name]).length > 0 })),
  transitions: BATCH_STATES.flatMap((from) =>
    Object.entries(BATCH_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const row: StateMachine = {
  title: 'The transitions of a row of a batch',
  description:
    'Each arrow is a transition, with its events. The row ends as the payout that it becomes, or without one.',
  positions: ROW_STATES.map((name) => ({ name, isOpen: Object.keys(ROW_TRANSITIONS[name]).length > 0 })),
  transitions: ROW_STATES.flatMap((from) =>
    Object.entries(ROW_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const merchant: StateMachine = {
  title: 'The transitions of a merchant',
  description: 'Each arrow is a transition, with its events. A suspended merchant sends no new request.',
  positions: MERCHANT_STATES.map((name) => ({ name, isOpen: name !== 'suspended' })),
  transitions: MERCHANT_STATES.flatMap((from) =>
    Object.entries(MERCHANT_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const proposal: StateMachine = {
  title: 'The transitions of a proposal',
  description: 'Each arrow is a transition, with its events. A proposal that expires stores no end.',
  positions: PROPOSAL_STATES.map((name) => ({ name, isOpen: name === 'open' })),
  transitions: PROPOSAL_STATES.flatMap((from) =>
    Object.entries(PROPOSAL_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const CALLBACK_POSITIONS = ['new', ...CALLBACK_STATES] as const;

const callback: StateMachine = {
  title: 'The transitions of a callback',
  description: 'Each arrow is a transition, with its events. Only the operator resends a callback that has ended.',
  positions: CALLBACK_POSITIONS.map((name) => ({ name, isOpen: name === 'new' || name === 'due' })),
  transitions: CALLBACK_POSITIONS.flatMap((from) =>
    Object.entries(CALLBACK_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

const TRANSFER_POSITIONS = ['new', ...TRANSFER_STATES] as const;

const transfer: StateMachine = {
  title: 'The transitions of an incoming transfer',
  description:
    'Each arrow is a transition, with its events. An event of a return is a report about the latest one. Money that a provider takes from credited money is recorded beside it.',
  positions: TRANSFER_POSITIONS.map((name) => ({ name, isOpen: ['new', 'held', 'returning'].includes(name) })),
  transitions: TRANSFER_POSITIONS.flatMap((from) =>
    Object.entries(TRANSFER_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event })),
  ),
};

/** The state machines by the path of their pictures, relative to the project's root. */
export const STATE_MACHINES: Readonly<Record<string, StateMachine>> = {
  'docs/pictures/transitions-of-a-payout.svg': payout,
  'docs/pictures/stages-of-a-payout.svg': stage,
  'docs/pictures/transitions-of-a-batch.svg': batch,
  'docs/pictures/transitions-of-a-row.svg': row,
  'docs/pictures/transitions-of-a-callback.svg': callback,
  'docs/pictures/transitions-of-a-deposit.svg': deposit,
  'docs/pictures/transitions-of-a-transfer.svg': transfer,
  'docs/pictures/transitions-of-an-attempt.svg': attempt,
  'docs/pictures/transitions-of-a-merchant.svg': merchant,
  'docs/pictures/transitions-of-a-proposal.svg': proposal,
};
