/** Adyen's magic amounts: the outcome that the cents of an amount select. README.md has the same table. */
import { type FaultsOfOne, faultsByAmount, type MagicAmounts } from '../kernel/magic-amounts.ts';
import type { Faults } from './faults.ts';

export const MAGIC_AMOUNTS: MagicAmounts<FaultsOfOne<Faults, 'transfers'>> = {
  '40': { transfers: 'book' },
  '41': { transfers: 'refuse_later', reason: 'declined' },
  '42': { transfers: 'book', webhooks: 'off' },
  '44': { transfers: 'book_at_once', answers: 'accept_unanswered' },
  '45': { answers: 'lose' },
  '50': { transfers: 'book_at_once', answers: 'accept_500' },
  '51': { transfers: 'refuse', reason: 'declined' },
  '52': { transfers: 'refuse', reason: 'invalidCard' },
  '53': { transfers: 'refuse', reason: 'amountLimitExceeded' },
  '60': { transfers: 'return', reason: 'counterpartyAccountClosed' },
  '62': { transfers: 'book_at_once', webhooks: 'before_reply' },
  '63': { transfers: 'book', webhooks: 'twice_and_late' },
};

export const faultsOf = faultsByAmount<Faults, 'transfers'>('transfers', 'book', MAGIC_AMOUNTS);
