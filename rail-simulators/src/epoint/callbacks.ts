/** Tells the client at the address of its cabinet, until it answers 200. The faults of callbacks are played here. */
import type { Clock } from '../clock.ts';
import type { Attempt } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import type { BookEntry } from './book.ts';
import { seal } from './envelope.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { callbackView, registeredView } from './views.ts';

export interface CallbacksOptions {
  readonly url: string;
  readonly privateKey: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly lateMs: number;
  readonly log: (line: string) => void;
}

export type Callbacks = Telling<BookEntry, 'taken'>;

const otherAmount = '999999.99';
const boundary = 'epoint-boundary';
const attemptTimeoutMs = 10_000;

export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { clock, log, lateMs, faults } = options;
  return new Telling<BookEntry, 'taken'>({
    owner: 'Epoint',
    nameOf: (entry) => `${entry.cardId} ${entry.kind}`,
    subjectOf: (entry) => ('transaction' in entry ? entry.transaction : entry.cardId),
    attempt: (entry, stopping) => tell(options, entry, stopping),
    onAccepted: () => {},
    // What is off is not handed over here: a card that was registered is told all the same.
    fault: (entry) => {
      const mode = modeOf(faults, entry);
      return mode === 'off' ? 'on' : mode;
    },
    clock,
    log,
    lateMs,
  });
}

function modeOf(faults: Readonly<Faults>, entry: BookEntry): Faults['callbacks'] {
  return 'transaction' in entry ? faultsOf(faults, entry.amount).callbacks : faults.callbacks;
}

async function tell(options: CallbacksOptions, entry: BookEntry, stopping: AbortSignal): Promise<Attempt<'taken'>> {
  const { url, privateKey, faults } = options;
  const mode = modeOf(faults, entry);
  const key = mode === 'forged' ? `not ${privateKey}` : privateKey;
  const amount = mode === 'wrong_amount' ? otherAmount : undefined;
  const view = 'transaction' in entry ? callbackView(entry, amount) : registeredView(entry);
  const form = mode === 'multipart' ? multipart(seal(view, key)) : urlEncoded(seal(view, key));
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(attemptTimeoutMs)]);
    const { status } = await fetch(url, { method: 'POST', ...form, redirect: 'manual', signal });
    return status === 200 ? { answer: 'taken' } : { refusal: `HTTP ${status}` };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : 'failed' };
  }
}

type Form = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

function urlEncoded(fields: Readonly<Record<string, string>>): Form {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(fields).toString() };
}

function multipart(fields: Readonly<Record<string, string>>): Form {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return { headers, body: `${parts.join('')}--${boundary}--\r\n` };
}
