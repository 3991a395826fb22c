/**
 * The behaviours of payers and their banks, as a table. Each is a button on the bank's page or an action of the control
 * surface. A payment passes through the statuses of its behaviour in order.
 */

/** The time since the previous step: none, the bank's processing, or the arrival (or failure) of the transfer. */
export type Pace = 'at_once' | 'bank' | 'settlement';

export interface Step {
  readonly status: string;
  readonly pace: Pace;
  /** The bank's own status (ISO 20022). If undefined, it stays unchanged. */
  readonly bankStatus?: string;
  readonly reason?: string;
  /** If true, the money arrives on the settlement account with this step. */
  readonly credits?: true;
}

const VERIFICATION: Step = { status: 'INITIATION_PENDING_REDIRECT_AUTH_VERIFICATION', pace: 'at_once' };
const PROCESSING: Step = { status: 'INITIATION_PROCESSING', pace: 'bank', bankStatus: 'PDNG' };
const COMPLETED: Step = { status: 'INITIATION_COMPLETED', pace: 'bank', bankStatus: 'ACSC' };
const SETTLING: Step = { status: 'SETTLEMENT_IN_PROGRESS', pace: 'at_once' };
const SETTLED: Step = { status: 'SETTLEMENT_COMPLETED', pace: 'settlement', bankStatus: 'ACCC', credits: true };
const NO_FINAL_STATUS: Step = {
  status: 'INITIATION_NO_FINAL_STATUS_AVAILABLE',
  pace: 'settlement',
  reason: 'The bank has not reported a final status',
};

const AGREED = [VERIFICATION, PROCESSING, COMPLETED, SETTLING, SETTLED] as const;

interface Conduct {
  /** The label of the button. If undefined, the page has no button for it. */
  readonly button?: string;
  readonly steps: readonly Step[];
}

const CONDUCTS = {
  agree: { button: 'Agree and pay', steps: AGREED },
  reject: {
    button: 'Reject the payment',
    steps: [{ status: 'INITIATION_DECLINED', pace: 'at_once', bankStatus: 'CANC', reason: 'Declined by the user' }],
  },
  no_final_status: {
    button: 'Agree, but no final status is ever reported',
    steps: [VERIFICATION, PROCESSING, NO_FINAL_STATUS],
  },
  insufficient_funds: {
    button: 'Agree, with too little money',
    steps: [
      VERIFICATION,
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
      VERIFICATION,
      PROCESSING,
      { status: 'INITIATION_REJECTED', pace: 'bank', bankStatus: 'RJCT', reason: 'Rejected by the bank' },
    ],
  },
  no_final_status_paid: { steps: [VERIFICATION, PROCESSING, { ...NO_FINAL_STATUS, credits: true }] },
  never_settles: {
    steps: [VERIFICATION, PROCESSING, COMPLETED, SETTLING, { status: 'SETTLEMENT_INCOMPLETE', pace: 'settlement' }],
  },
  silent_bank: { steps: [VERIFICATION, PROCESSING, { status: 'INITIATION_EXPIRED', pace: 'settlement' }] },
  in_app: {
    steps: [{ status: 'INITIATION_PENDING_DECOUPLED_AUTH', pace: 'at_once' }, PROCESSING, COMPLETED, SETTLING, SETTLED],
  },
  locked_out: {
    steps: [{ status: 'INITIATION_FAILED', pace: 'at_once', reason: 'The user could not be authenticated' }],
  },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof CONDUCTS;

export function isConduct(name: unknown): name is ConductName {
  return typeof name === 'string' && Object.hasOwn(CONDUCTS, name);
}

export function stepsOf(name: ConductName): readonly Step[] {
  return CONDUCTS[name].steps;
}

export const BUTTONS: readonly (readonly [conduct: ConductName, text: string])[] = Object.entries(CONDUCTS).flatMap(
  ([name, conduct]) => ('button' in conduct ? [[name as ConductName, conduct.button] as const] : []),
);
