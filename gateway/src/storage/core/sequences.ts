/**
 * Lists the sequences that number objects outside the gateway. A restore rewinds them, so the recovery moves each past all
 * numbers that may have been given out (domain/recovery/begin-recovery.ts). A test fails if a sequence is missing here.
 */
import type { SkippedNumbers } from '../../domain/recovery/recovery-store.ts';

export interface Sequence {
  readonly name: string;
  /** How many numbers a process takes at a time: the increment of the sequence. */
  readonly blockSize: number;
  /** The recipients of the numbers. */
  readonly reaches: string;
}

export const SEQUENCES: Readonly<Record<keyof SkippedNumbers, Sequence>> = {
  transactionIds: {
    name: 'transaction_ids',
    blockSize: 1_024,
    reaches: 'merchants, by transactionId; providers, by the reference of a payer’s attempt',
  },
  addresses: {
    name: 'clabe_numbers',
    blockSize: 64,
    reaches: 'payers, by the CLABE that is made of it',
  },
};
