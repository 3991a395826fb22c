/** The port that sends a callback. The wire that signs it implements the port. */
import type { MerchantWithKeys } from '../merchants/merchant.ts';
import type { Callback, DeliveryReport } from './callback.ts';

export interface CallbackTransport {
  /** Makes one attempt, bounded in time and bytes. Never throws: the report holds every failure. */
  deliver(callback: Callback, recipient: MerchantWithKeys, signal: AbortSignal): Promise<DeliveryReport>;
  close(): Promise<void>;
}
