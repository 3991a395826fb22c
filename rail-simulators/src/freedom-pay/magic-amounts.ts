/** Freedom Pay's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'payouts'>> = {
  '40': { outcomes: 'paid_later' },
  '41': { outcomes: 'declined_later' },
  '42': { outcomes: 'paid_later', notifications: 'off' },
  '44': { outcomes: 'paid', payouts: 'accept_unanswered' },
  '45': { payouts: 'lose' },
  '50': { outcomes: 'paid', payouts: 'accept_500' },
  '51': { outcomes: 'declined' },
  '52': { outcomes: 'wrong_card' },
  '53': { outcomes: 'too_often' },
  '62': { outcomes: 'paid', payouts: 'notified_before_reply' },
  '63': { outcomes: 'paid_later', notifications: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'payouts'>('payouts', 'accept', MAGIC_AMOUNTS);
