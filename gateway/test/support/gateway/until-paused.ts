/** Waits until the worker of a test gateway applies a pause, which takes it up to a second on an idle machine. */

import type { TestMerchant } from '../merchants/test-merchant.ts';
import { until } from '../tools/until.ts';
import type { RunningGateway } from './running-gateway.ts';

/**
 * Sends payouts until the worker holds one back. Resolves to the number of payouts that it still sent. The last payout waits.
 */
export async function untilPaused(
  { operations }: RunningGateway,
  merchant: TestMerchant,
  method: number,
): Promise<number> {
  for (let sent = 0; ; sent++) {
    const payoutId = `probe-${sent}`;
    await merchant.pay(method, payoutId, { amount: '1.00' });
    const end = await until('the probe ends or is held back', async () => {
      const found = await operations.payouts.find({ merchantId: merchant.id, payoutId });
      if (!found?.pending) return 'sent';
      return found.pending.reason === 'paused' && found.pending.note.includes('is paused') && 'held';
    });
    if (end === 'held') return sent;
  }
}
