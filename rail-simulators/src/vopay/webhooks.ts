/**
 * Tells the client that a transaction stands elsewhere: three tries, five minutes apart, and then never again. The faults of
 * webhooks are played here; why something is told is vopay.ts's.
 */
import { type Clock, TimerSet } from '../clock.ts';
import { InTurn } from '../kernel/in-turn.ts';
import { Overtaking } from '../kernel/overtaking.ts';
import { postJson } from '../kernel/retrying-sender.ts';
import { type Account, validationKeyOf } from './authentication.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { timestampOf } from './timestamps.ts';
import { wordFor } from './wording.ts';

export interface WebhooksOptions {
  readonly url: string;
  readonly account: Account;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late webhook is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  /** Between two tries. */
  readonly pauseMs: number;
  readonly log: (line: string) => void;
}

const mostTries = 3;
const otherAmount = '999999.99';
const otherReference = '99-FoReIgN1';

interface Message {
  readonly name: string;
  readonly body: string;
}

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #timers: TimerSet;
  #stopping = new AbortController();
  /** By transaction: what is told of it leaves in its order. */
  readonly #inTurn = new InTurn<number>();
  readonly #overtaking: Overtaking<BookEntry>;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
    this.#overtaking = new Overtaking(this.#timers, options.lateMs, (entry) => this.#send(entry));
  }

  /** In the way that the fault of the moment says. Resolves after the first try, or at once where that is put off. */
  tell(entry: BookEntry): Promise<void> {
    switch (this.#options.faults.notifications) {
      case 'off':
        return Promise.resolve();
      case 'late':
        this.#timers.after(this.#options.lateMs, () => void this.#send(entry));
        return Promise.resolve();
      case 'out_of_order':
        return this.#overtaking.tell(entry);
      case 'twice':
        return this.#send(entry).then(() => this.#send(entry));
      default:
        return this.#send(entry);
    }
  }

  /** What somebody else sends to the client's address. */
  tellMadeUp(body: object): Promise<void> {
    return this.#try({ name: 'made up', body: JSON.stringify(body) }, 1);
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#timers.cancelAll();
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#inTurn.stop();
    this.#overtaking.stop();
  }

  #send(entry: BookEntry): Promise<void> {
    const message = { name: `${entry.id} ${entry.status}`, body: JSON.stringify(payloadOf(entry, this.#options)) };
    return this.#inTurn.run(entry.id, () => this.#try(message, 1));
  }

  async #try(message: Message, number: number): Promise<void> {
    const { url, log, pauseMs } = this.#options;
    const { signal } = this.#stopping;
    const reply = await postJson(url, message.body, {}, signal);
    if (signal.aborted || ('status' in reply && reply.status === 200)) return;
    const why = 'refusal' in reply ? reply.refusal : `HTTP ${reply.status}`;
    const next = number < mostTries ? `again in ${pauseMs} ms` : 'given up';
    log(`VoPay: webhook ${message.name} not accepted (${why}), ${next}`);
    if (number < mostTries) this.#timers.after(pauseMs, () => void this.#try(message, number + 1));
  }
}

function payloadOf(entry: BookEntry, { account, faults }: Pick<WebhooksOptions, 'account' | 'faults'>): object {
  const mode = faults.notifications;
  return {
    Success: true,
    Status: wordFor(entry, faults.wording),
    ID: entry.id,
    TransactionAmount: mode === 'wrong_amount' ? otherAmount : entry.amount,
    ClientReferenceNumber: mode === 'foreign_reference' ? otherReference : entry.reference,
    TransactionType: entry.type,
    TransactionID: entry.id,
    AccountID: account.accountId,
    UpdatedAt: timestampOf(entry.at),
    FailureReason: entry.failureReason,
    ValidationKey: validationKeyOf(mode === 'forged' ? entry.id + 1 : entry.id, account),
    Environment: 'Sandbox',
  };
}
