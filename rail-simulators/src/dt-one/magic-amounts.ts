/** DT One's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'transactions'>> = {
  '40': { transactions: 'complete' },
  '41': { transactions: 'decline', why: '' },
  '42': { transactions: 'complete', notifications: 'off' },
  '44': { transactions: 'complete_at_once', calls: 'accept_unanswered' },
  '45': { calls: 'lose' },
  '50': { transactions: 'complete_at_once', calls: 'accept_500' },
  '51': { transactions: 'reject_at_once', why: 'OPERATOR-CURRENTLY-UNAVAILABLE' },
  '52': { transactions: 'reject_at_once', why: 'INVALID-CREDIT-PARTY' },
  '53': { transactions: 'reject_at_once', why: 'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT' },
  '60': { transactions: 'reverse' },
  '62': { transactions: 'complete', calls: 'completed_before_reply' },
  '63': { transactions: 'complete', notifications: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'transactions'>('transactions', 'complete', MAGIC_AMOUNTS);
