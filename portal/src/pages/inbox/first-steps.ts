/** The steps that a new operator still has to take, given the current configuration. */

export interface FirstStep {
  readonly name: 'people' | 'merchant' | 'rail' | 'payout' | 'callback';
  readonly isDone: boolean;
}

interface Counts {
  /** The number of users and open invitations. */
  readonly people: number;
  readonly merchants: number;
  /** The number of rails other than the sandbox. */
  readonly rails: number;
  readonly payouts: number;
  readonly callbacks: number;
}

export function firstStepsOf({ people, merchants, rails, payouts, callbacks }: Counts): readonly FirstStep[] {
  return [
    { name: 'people', isDone: people > 1 },
    { name: 'merchant', isDone: merchants > 0 },
    { name: 'rail', isDone: rails > 0 },
    { name: 'payout', isDone: payouts > 0 },
    { name: 'callback', isDone: callbacks > 0 },
  ];
}
