/** The behaviours of payers and their banks, as a table. The pages offer those with a bank name. */

export interface Conduct {
  /** The name on the payer's page. */
  readonly bank?: string;
  /** If true, the bank's decision takes the longer delay. */
  readonly isSlow?: boolean;
  /** The difference in cents between the received and the requested amount. */
  readonly difference?: bigint;
  /** The bank's reason for its later decline. */
  readonly failureReason?: string;
}

export const CONDUCTS = {
  accept: { bank: 'Maple Bank' },
  accept_slowly: { bank: 'Slow Credit Union (takes a while)', isSlow: true },
  accept_without_funds: { bank: 'Empty Bank (agrees, but has no money)', failureReason: '901 - NSF' },
  accept_less: { difference: -100n },
  accept_more: { difference: 100n },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof CONDUCTS;

export function isConduct(value: unknown): value is ConductName {
  return typeof value === 'string' && Object.hasOwn(CONDUCTS, value);
}

export function conductOf(name: string): Conduct {
  return isConduct(name) ? CONDUCTS[name] : {};
}

/** The Interac codes for a payer who does not accept. */
export const ENDINGS = {
  decline: { status: 'failed', failureReason: '1 - Recipient declined the transfer' },
  expire: { status: 'cancelled', failureReason: '3 - Reached cancellation cut-off without being deposited' },
  undeliverable: { status: 'failed', failureReason: '5 - Unable to deliver email notice' },
  wrong_answers: { status: 'failed', failureReason: '2 - Recipient failed to answer the security question' },
  called_back: { status: 'cancelled', failureReason: '0 - Sender-initiated cancellation' },
  no_such_account: { status: 'failed', failureReason: '8 - No such account' },
  stopped: { status: 'cancelled', failureReason: '6 - Cancelled manually' },
  /** Returned after the deposit. */
  undone: { status: 'failed', failureReason: 'Returned' },
  failed_at_once: { status: 'failed', failureReason: '7 - Not supported by the financial institution' },
} as const;

export type EndingName = keyof typeof ENDINGS;

export const BEHAVIOURS = [...(Object.keys(CONDUCTS) as ConductName[]), 'decline', 'expire', 'undeliverable'] as const;
export type Behaviour = ConductName | 'decline' | 'expire' | 'undeliverable';

export function isBehaviour(value: unknown): value is Behaviour {
  return BEHAVIOURS.includes(value as Behaviour);
}
