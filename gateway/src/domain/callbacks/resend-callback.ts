/** The operator's resend: one callback by its id, or all that were given up for one merchant. */
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { CallbackState } from './callback.ts';
import type { CallbackKey, CallbackStore } from './callback-store.ts';

export type ResendFailure = 'merchant_not_found' | 'callback_not_found' | 'not_wanted';

export interface ResendCallbacks {
  /**
   * Due now, under the same webhook-id, with the retry schedule anew; also one that was delivered before (a merchant may
   * have lost it) or waits. The value is the state it was in.
   */
  one(key: CallbackKey): Promise<Result<CallbackState, ResendFailure>>;
  /** The merchant's undelivered callbacks created at or after `since`; gives how many. */
  undelivered(merchantId: MerchantId, since: Instant): Promise<Result<number, ResendFailure>>;
}

export interface ResendParts {
  readonly callbacks: Pick<CallbackStore, 'resend' | 'resendUndelivered'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly clock: Clock;
  /** Called after callbacks became due, so that delivery need not wait for its next round. */
  readonly onDue: () => void;
}

export function createResendCallbacks({ callbacks, merchants, clock, onDue }: ResendParts): ResendCallbacks {
  return {
    async one(key) {
      if (!(await merchants.find(key.merchantId))) return fail('merchant_not_found');
      const before = await callbacks.resend(key, clock.now());
      if (before === undefined) return fail('callback_not_found');
      if (before === 'not_wanted') return fail('not_wanted');
      onDue();
      return ok(before);
    },
    async undelivered(merchantId, since) {
      if (!(await merchants.find(merchantId))) return fail('merchant_not_found');
      const resent = await callbacks.resendUndelivered(merchantId, since, clock.now());
      if (resent > 0) onDue();
      return ok(resent);
    },
  };
}
