/**
 * Tells the client of a payout at the address that the payout named, until the client answers with its signature. The faults
 * of callbacks are played here; why something is told is wayforpay.ts's.
 */
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import { parseFields } from './amounts.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { isEqual, signatureOf } from './signing.ts';
import { type Account, signedView } from './views.ts';

export interface CallbacksOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly lateMs: number;
  readonly log: (line: string) => void;
  readonly onAccepted: (entry: BookEntry) => void;
}

const otherAmount = '999999.99';

export type Callbacks = Telling<BookEntry, 'accepted'>;

export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { clock, log, lateMs, onAccepted, faults } = options;
  return new Telling<BookEntry, 'accepted'>({
    owner: 'WayForPay',
    nameOf: ({ reference, status }) => `${reference} ${status}`,
    subjectOf: ({ reference }) => reference,
    attempt: (entry, stopping) => tell(options, entry, stopping),
    onAccepted,
    fault: ({ kopecks }) => faultsOf(faults, kopecks).callbacks,
    clock,
    log,
    lateMs,
  });
}

async function tell(
  { account, faults }: CallbacksOptions,
  entry: BookEntry,
  stopping: AbortSignal,
): Promise<Attempt<'accepted'>> {
  const mode = faultsOf(faults, entry.kopecks).callbacks;
  const signer = mode === 'forged' ? { ...account, secretKey: `not ${account.secretKey}` } : account;
  const change = mode === 'wrong_amount' ? { amount: otherAmount } : {};
  const view = signedView(entry, signer, faults.signing === 'general' ? 'general' : entry.type, change);
  const reply = await postJson(entry.serviceUrl, JSON.stringify(view), {}, stopping);
  if ('refusal' in reply) return reply;
  const fields = parseFields(reply.text) ?? {};
  const expected = signatureOf(fields, ['orderReference', 'status', 'time'], account.secretKey);
  const isAccepted =
    reply.status === 200 &&
    fields['status'] === 'accept' &&
    fields['orderReference'] === entry.reference &&
    isEqual(fields['signature'], expected);
  return isAccepted ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status} without its signature` };
}
