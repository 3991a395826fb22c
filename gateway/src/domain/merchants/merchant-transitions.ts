/** The transitions of a merchant. */
import type { MerchantState } from './merchant.ts';

export type MerchantEvent = 'activated' | 'suspended';

export const MERCHANT_TRANSITIONS: Readonly<Record<MerchantState, Partial<Record<MerchantEvent, MerchantState>>>> = {
  test: { activated: 'active', suspended: 'suspended' },
  active: { suspended: 'suspended' },
  suspended: { activated: 'active' },
};
