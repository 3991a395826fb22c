/** RazorpayX's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'payouts'>> = {
  '40': { payouts: 'process' },
  '41': { payouts: 'fail', fail_reason: 'beneficiary_bank_rejected' },
  '42': { payouts: 'process', notifications: 'off' },
  '44': { payouts: 'process_at_once', calls: 'accept_unanswered' },
  '45': { calls: 'lose' },
  '50': { payouts: 'process_at_once', calls: 'accept_500' },
  '51': { payouts: 'fail_at_once', fail_reason: 'beneficiary_bank_rejected' },
  '52': { payouts: 'fail_at_once', fail_reason: 'bank_account_invalid' },
  '53': { payouts: 'fail_at_once', fail_reason: 'transaction_limit_exceeded' },
  '60': { payouts: 'reverse', fail_reason: 'beneficiary_bank_rejected' },
  '62': { payouts: 'process', calls: 'processed_before_reply' },
  '63': { payouts: 'process', notifications: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'payouts'>('payouts', 'process', MAGIC_AMOUNTS);
