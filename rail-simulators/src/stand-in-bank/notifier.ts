/**
 * Tells the gateway what happened after the bank's reply, signed, until it is accepted. It knows nothing of why; bank.ts
 * decides what is told.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Attempt, postJson, RetryingSender, type SenderLimits } from '../provider-server/retrying-sender.ts';
import type { Faults } from './faults.ts';
import type { ChangedStatus, Reason } from './magic-amounts.ts';

export interface Notification {
  /** The same on every sending of the same change. */
  readonly notification_id: string;
  readonly reference: string;
  readonly status: ChangedStatus;
  readonly reason: Reason;
  readonly occurred_at: string;
}

export interface NotifierOptions {
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly log: (line: string) => void;
  readonly onAccepted: (notification: Notification) => void;
  readonly limits?: SenderLimits;
}

export class Notifier extends RetryingSender<Notification, 'OK'> {
  constructor(options: NotifierOptions) {
    const { clock, log, onAccepted, limits } = options;
    super({
      owner: 'stand-in bank',
      nameOf: ({ notification_id }) => notification_id,
      attempt: (notification, stopping) => post(options, notification, stopping),
      onAccepted,
      clock,
      log,
      ...(limits === undefined ? {} : { limits }),
    });
  }
}

async function post(
  { url, secret, faults }: NotifierOptions,
  notification: Notification,
  stopping: AbortSignal,
): Promise<Attempt<'OK'>> {
  const mode = faults.notifications;
  if (mode === 'off') return { refusal: 'switched off' };
  const lie = mode === 'wrong_amount' ? { amount: '999999.99', currency: 'EUR' } : {};
  const body = JSON.stringify({ ...notification, ...lie });
  const signature = signatureOf(body, mode === 'wrong_signature' ? `not ${secret}` : secret);
  const reply = await postJson(url, body, { 'x-stand-in-signature': signature }, stopping);
  if ('refusal' in reply) return reply;
  return reply.status === 200 && reply.text.trim() === 'OK' ? { answer: 'OK' } : { refusal: `HTTP ${reply.status}` };
}

/** The signature of a notification: lowercase hex HMAC-SHA256 of the raw body. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
