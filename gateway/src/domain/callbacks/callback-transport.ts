/** The port that sends a callback. The protocol code that signs it implements the port. */
import type { MerchantWithKeys } from '../merchants/merchant.ts';
import type { Callback, DeliveryReport } from './callback.ts';

export interface CallbackTransport {
  /** Makes one attempt, limited in time and bytes. Never throws: the report contains every failure. */
  deliver(callback: Callback, recipient: MerchantWithKeys, signal: AbortSignal): Promise<DeliveryReport>;
  close(): Promise<void>;
}
