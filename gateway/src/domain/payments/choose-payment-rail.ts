/** Chooses the rail of a payment on the form. */
import type { Currency } from '../../foundation/currency.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { FormPaymentType } from '../methods/payment-type.ts';
import type { PaymentRail } from './payment-rail.ts';

/**
 * Returns the first rail for a merchant's payments of that type and currency, or undefined if the type is disabled or no rail
 * is configured. A merchant in test mode gets only simulated rails, so that its tests cannot move real money.
 */
export function choosePaymentRail<Rail extends Pick<PaymentRail, 'paymentType' | 'currencies' | 'simulated'>>(
  rails: readonly Rail[],
  merchant: Merchant,
  paymentType: FormPaymentType,
  currency: Currency,
): Rail | undefined {
  if (merchant.settings.disabled_payment_types.includes(paymentType)) return undefined;
  const rail = rails.find((each) => each.paymentType === paymentType && each.currencies.has(currency));
  return rail === undefined || (merchant.state === 'test' && !rail.simulated) ? undefined : rail;
}
