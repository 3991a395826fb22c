/** Mastercard's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'disbursements'>> = {
  '40': { disbursements: 'pending_then_approve' },
  '41': { disbursements: 'unknown_then_decline', network_code: '05', status_reason: 'DECLINED' },
  '42': { disbursements: 'pending_then_approve' },
  '44': { answers: 'accept_unanswered' },
  '45': { answers: 'lose' },
  '50': { answers: 'accept_500' },
  '51': { disbursements: 'decline', network_code: '05', status_reason: 'DECLINED' },
  '52': { disbursements: 'decline', network_code: '14', status_reason: 'DECLINED' },
  '53': { disbursements: 'decline', network_code: '61', status_reason: 'LIMIT_EXCEEDED' },
  '60': { disbursements: 'approve_then_reverse' },
};

export const faultsOf = faultsByAmount<Faults, 'disbursements'>('disbursements', 'approve', MAGIC_AMOUNTS);
