/** Every seed that ever found a bug in the gateway. Each test run repeats them all. */
interface FailedSeed {
  readonly seed: string;
  readonly days: number;
  readonly scale: number;
  /** The bug that it found. */
  readonly found: string;
}

export const FAILED_SEEDS: readonly FailedSeed[] = [
  {
    seed: '2',
    days: 8,
    scale: 0.02,
    found: 'two workers whose machines were suspended for days deleted each other’s reports, and sent nothing any more',
  },
];
