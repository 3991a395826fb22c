/**
 * Tells the client how its transactions stand, where each of them says, until it is accepted by a 2xx. The faults of callbacks
 * are played here; why something is told is dt-one.ts's.
 */
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import { type Account, basic } from './authentication.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { transactionView } from './views.ts';

export interface CallbacksOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late callback is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
}

export class Callbacks extends Telling<BookEntry, 'accepted'> {
  constructor(options: CallbacksOptions) {
    super({
      ...options,
      owner: 'DT One',
      nameOf: ({ id, className }) => `${className} of ${id}`,
      subjectOf: ({ id }) => String(id),
      fault: ({ tiyn }) => faultsOf(options.faults, tiyn).notifications,
      attempt: (entry, stopping) => post(options, entry, stopping),
      onAccepted: () => {},
    });
  }
}

const otherReference = '99-FoReIgN1';

async function post(
  { account, faults }: CallbacksOptions,
  entry: BookEntry,
  stopping: AbortSignal,
): Promise<Attempt<'accepted'>> {
  const mode = faultsOf(faults, entry.tiyn).notifications;
  if (mode === 'off') return { refusal: 'switched off' };
  const password = mode === 'forged' ? `not ${account.callbackPassword}` : account.callbackPassword;
  const told = {
    ...entry,
    ...(mode === 'lying' ? { className: 'COMPLETED' as const, message: 'COMPLETED' } : {}),
    ...(mode === 'foreign_reference' ? { externalId: otherReference } : {}),
  };
  const headers = { authorization: basic(account.callbackUsername, password) };
  const reply = await postJson(entry.callbackUrl, JSON.stringify(transactionView(told)), headers, stopping);
  if ('refusal' in reply) return reply;
  return reply.status >= 200 && reply.status < 300 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
}
