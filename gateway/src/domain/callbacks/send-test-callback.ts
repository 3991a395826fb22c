/** Sends an example callback to a merchant’s own URL, once, and stores nothing. No example changes a balance. */

import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Random } from '../../foundation/random.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { Callback, CallbackAttempt, CallbackSubject } from './callback.ts';
import type { CallbackTransport } from './callback-transport.ts';
import { exampleMessage, type Trigger } from './example-payload.ts';

/** Failed payments and a refund, so that no receiver ships goods because of a test callback. */
const TRIGGERS: Readonly<Record<CallbackSubject, Trigger>> = {
  payout: 'payout.blocked',
  deposit: 'deposit.fail',
  event: 'deposit.refunded',
};

interface TestParts {
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly openTransport: () => CallbackTransport;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes one attempt to deliver an example. Resolves to both, or to undefined if the merchant does not exist. */
export async function sendTestCallback(
  { merchants, openTransport, clock, random }: TestParts,
  merchantId: MerchantId,
  subject: CallbackSubject,
): Promise<{ readonly callback: Callback; readonly attempt: CallbackAttempt } | undefined> {
  const recipient = await merchants.find(merchantId);
  if (!recipient) return undefined;
  const startedAt = clock.now();
  const subjectId = `test-${random.uuid()}`;
  const callback: Callback = {
    merchantId,
    callbackId: subjectId,
    subject,
    subjectId,
    state: 'due',
    createdAt: startedAt,
    payload: exampleMessage(TRIGGERS[subject], merchantId, subjectId, startedAt).payload,
    attempts: 0,
    scheduleStart: 0,
    firstAttemptAt: null,
    dueAt: startedAt,
    finishedAt: null,
  };
  const transport = openTransport();
  try {
    const report = await transport.deliver(callback, recipient, new AbortController().signal);
    return { callback, attempt: { attempt: 1, startedAt, ...report } };
  } finally {
    await transport.close();
  }
}
