/** Signs one message and sends it to a test receiver, once. */
import type { DeliveredMessage, SignedDelivery } from '../../domain/conformance/conformance.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { writeMessage } from './played-message.ts';
import { whyNotAcknowledged } from './receiver.ts';
import { sendMessage } from './send-message.ts';

/** The gateway's own limit for a response. */
const PATIENCE_MS = 15 * SECOND_MS;

export async function deliverSigned(delivery: SignedDelivery, clock: Clock): Promise<DeliveredMessage> {
  const startedAt = clock.now();
  const answer = await sendMessage(writeMessage(delivery, [delivery.key], startedAt), 'whole', PATIENCE_MS, clock);
  const fault = whyNotAcknowledged(answer, { acknowledgement: 'ok_body', patienceMs: PATIENCE_MS }) ?? null;
  const { status, body } = answer.kind === 'answered' ? answer : { status: null, body: '' };
  return { status, reply: body, latencyMs: clock.now() - startedAt, fault };
}
