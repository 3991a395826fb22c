/** The operator's resend command: one callback by its id, or all undelivered callbacks of one merchant. */
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { CallbackState } from './callback.ts';
import type { CallbackKey, CallbackStore } from './callback-store.ts';
import { statesBefore } from './callback-transitions.ts';

export type ResendFailure = 'merchant_not_found' | 'callback_not_found' | 'not_wanted';

interface ResendParts {
  readonly callbacks: Pick<CallbackStore, 'resend' | 'resendUndelivered'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly clock: Clock;
  /** Called when callbacks become due, so that delivery does not wait for the next poll. */
  readonly onDue: () => void;
}

/**
 * Makes the callback due now, with the same webhook-id and a new retry schedule. It may be pending, or already delivered,
 * since a merchant may have lost it. The result is its previous state.
 */
export async function resendCallback(
  { callbacks, merchants, clock, onDue }: ResendParts,
  key: CallbackKey,
): Promise<Result<CallbackState, ResendFailure>> {
  if (!(await merchants.find(key.merchantId))) return fail('merchant_not_found');
  const before = await callbacks.resend(key, clock.now());
  if (before === undefined) return fail('callback_not_found');
  if (!statesBefore('resent').includes(before)) return fail('not_wanted');
  onDue();
  return ok(before);
}

/** Resends the merchant's undelivered callbacks created at or after `since`. Resolves to how many. */
export async function resendUndelivered(
  { callbacks, merchants, clock, onDue }: ResendParts,
  merchantId: MerchantId,
  since: Instant,
): Promise<Result<number, ResendFailure>> {
  if (!(await merchants.find(merchantId))) return fail('merchant_not_found');
  const resent = await callbacks.resendUndelivered(merchantId, since, clock.now());
  if (resent > 0) onDue();
  return ok(resent);
}
