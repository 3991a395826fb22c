/** How a callback leaves the house. Implemented by the wire that signs and sends it. */
import type { MerchantWithKeys } from '../merchants/merchant.ts';
import type { Callback, DeliveryReport } from './callback.ts';

export interface CallbackTransport {
  /** One attempt, bounded in time and bytes. Never throws: whatever goes wrong is in the report. */
  deliver(callback: Callback, recipient: MerchantWithKeys, signal: AbortSignal): Promise<DeliveryReport>;
  close(): Promise<void>;
}
