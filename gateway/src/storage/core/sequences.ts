/**
 * Every sequence of the database whose numbers leave the gateway. A restore rewinds them, so the recovery moves each past all
 * that may have been handed out (domain/recovery/begin-recovery.ts). A test finds a sequence that is missing here.
 */
import type { SkippedNumbers } from '../../domain/recovery/recovery-store.ts';

export interface Sequence {
  readonly name: string;
  /** Numbers that a process takes at a time: the sequence's own increment. */
  readonly blockSize: number;
  /** The recipients of its numbers. */
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
