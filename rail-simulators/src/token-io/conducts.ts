/**
 * The behaviours of payers and their banks, as a table. Each is a button on the bank's page or an action of the control
 * surface. A payment passes through the statuses of its behaviour in order.
 */

/** The time since the previous step: none, the bank's processing, or the transfer's arrival (or its failure). */
export type Pace = 'at_once' | 'bank' | 'settlement';

export interface Step {
  readonly status: string;
  readonly pace: Pace;
  /** The bank's own status, ISO 20022. If undefined, it stays as it is. */
  readonly bankStatus?: string;
  readonly reason?: string;
  /** The money arrives on the settlement account with this step. */
  readonly credits?: true;
}

const verification: Step = { status: 'INITIATION_PENDING_REDIRECT_AUTH_VERIFICATION', pace: 'at_once' };
const processing: Step = { status: 'INITIATION_PROCESSING', pace: 'bank', bankStatus: 'PDNG' };
const completed: Step = { status: 'INITIATION_COMPLETED', pace: 'bank', bankStatus: 'ACSC' };
const settling: Step = { status: 'SETTLEMENT_IN_PROGRESS', pace: 'at_once' };
const settled: Step = { status: 'SETTLEMENT_COMPLETED', pace: 'settlement', bankStatus: 'ACCC', credits: true };
const noFinalStatus: Step = {
  status: 'INITIATION_NO_FINAL_STATUS_AVAILABLE',
  pace: 'settlement',
  reason: 'The bank has not reported a final status',
};

const agreed = [verification, processing, completed, settling, settled] as const;

interface Conduct {
  /** The button's text. If undefined, the page has no button for it. */
  readonly button?: string;
  readonly steps: readonly Step[];
}

const conducts = {
  agree: { button: 'Agree and pay', steps: agreed },
  reject: {
    button: 'Reject the payment',
    steps: [{ status: 'INITIATION_DECLINED', pace: 'at_once', bankStatus: 'CANC', reason: 'Declined by the user' }],
  },
  no_final_status: {
    button: 'Agree, but no final status is ever reported',
    steps: [verification, processing, noFinalStatus],
  },
  insufficient_funds: {
    button: 'Agree, with too little money',
    steps: [
      verification,
      {
        status: 'INITIATION_REJECTED_INSUFFICIENT_FUNDS',
        pace: 'bank',
        bankStatus: 'RJCT',
        reason: 'Insufficient funds',
      },
    ],
  },
  bank_rejects: {
    button: 'Agree, and the bank rejects it later',
    steps: [
      verification,
      processing,
      { status: 'INITIATION_REJECTED', pace: 'bank', bankStatus: 'RJCT', reason: 'Rejected by the bank' },
    ],
  },
  no_final_status_paid: { steps: [verification, processing, { ...noFinalStatus, credits: true }] },
  never_settles: {
    steps: [verification, processing, completed, settling, { status: 'SETTLEMENT_INCOMPLETE', pace: 'settlement' }],
  },
  silent_bank: { steps: [verification, processing, { status: 'INITIATION_EXPIRED', pace: 'settlement' }] },
  in_app: {
    steps: [{ status: 'INITIATION_PENDING_DECOUPLED_AUTH', pace: 'at_once' }, processing, completed, settling, settled],
  },
  locked_out: {
    steps: [{ status: 'INITIATION_FAILED', pace: 'at_once', reason: 'The user could not be authenticated' }],
  },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof conducts;

export function isConduct(name: unknown): name is ConductName {
  return typeof name === 'string' && Object.hasOwn(conducts, name);
}

export function stepsOf(name: ConductName): readonly Step[] {
  return conducts[name].steps;
}

export const buttons: readonly (readonly [conduct: ConductName, text: string])[] = Object.entries(conducts).flatMap(
  ([name, conduct]) => ('button' in conduct ? [[name as ConductName, conduct.button] as const] : []),
);
