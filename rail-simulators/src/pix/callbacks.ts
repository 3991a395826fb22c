/**
 * Notifies the client of Pix payments and refunds: `{webhookUrl}/pix` with one or more in a list, until a 200 accepts it. A
 * callback has the book's content at the time of sending.
 */
import { TimerSet } from '../clock.ts';
import type { NotifierWorks } from '../kernel/notifier.ts';
import { type Attempt, RetryingSender } from '../kernel/retrying-sender.ts';
import type { Faults } from './faults.ts';
import { type Caller, postWithCertificate } from './post-with-certificate.ts';

export interface Told {
  readonly txid: string;
  readonly endToEndId: string;
  /** The position of the reported entry in the book. */
  readonly seq: number;
}

interface CallbacksWorks extends NotifierWorks {
  readonly faults: Readonly<Faults>;
}

export interface CallbacksParts {
  /** The client's address; undefined until the client has registered one. */
  readonly webhookUrl: () => string | undefined;
  readonly caller: Caller;
  readonly view: (told: Told) => object | undefined;
  readonly onAccepted: (told: readonly Told[]) => void;
}

interface Message {
  readonly told: readonly Told[];
  readonly valor?: string;
  /** Content that is not from the book. */
  readonly body?: object;
}

export class Callbacks {
  readonly #works: CallbacksWorks;
  readonly #parts: CallbacksParts;
  readonly #sender: RetryingSender<Message, null>;
  readonly #timers: TimerSet;
  /** Callbacks held for a list, or to be overtaken. */
  #held: Told[] = [];

  constructor(works: CallbacksWorks, parts: CallbacksParts) {
    this.#works = works;
    this.#parts = parts;
    this.#timers = new TimerSet(works.clock);
    this.#sender = new RetryingSender<Message, null>({
      owner: 'Pix',
      nameOf: ({ told }) => told.map(({ txid }) => txid).join(', ') || 'made up',
      attempt: (message, signal) => this.#attempt(message, signal),
      onAccepted: ({ told }) => parts.onAccepted(told),
      clock: works.clock,
      log: works.log,
    });
  }

  /** Whether the client has registered an address. */
  isWanted(): boolean {
    return this.#parts.webhookUrl() !== undefined;
  }

  tell(told: Told): void {
    const { faults, delays } = this.#works;
    const mode = faults.notifications;
    if (mode === 'batched' || mode === 'out_of_order') this.#hold(told, mode);
    else if (mode === 'late') this.#timers.after(delays.lateMs, () => this.#send({ told: [told] }));
    else if (mode === 'wrong_amount') this.#send({ told: [told], valor: '999999.99' });
    else if (mode !== 'off')
      for (let sent = mode === 'twice' ? 0 : 1; sent < 2; sent += 1) this.#send({ told: [told] });
  }

  /** Sends a callback of another client of the bank: valid for the certificate, but unknown in this book. */
  tellMadeUp(pix: object): void {
    this.#send({ told: [], body: pix });
  }

  stop(): void {
    this.#timers.cancelAll();
    this.#held = [];
    this.#sender.stop();
  }

  #hold(told: Told, mode: 'batched' | 'out_of_order'): void {
    const isFirst = this.#held.push(told) === 1;
    if (isFirst) this.#timers.after(this.#works.delays.lateMs, () => this.#release(mode));
    else if (mode === 'out_of_order') this.#release(mode);
  }

  #release(mode: 'batched' | 'out_of_order'): void {
    const held = this.#held;
    this.#held = [];
    if (mode === 'out_of_order') for (const told of held.reverse()) this.#send({ told: [told] });
    else if (held.length > 0) this.#send({ told: held });
  }

  #send(message: Message): void {
    void this.#sender.send(message);
  }

  async #attempt({ told, valor, body }: Message, signal: AbortSignal): Promise<Attempt<null>> {
    const { webhookUrl, view, caller } = this.#parts;
    const url = webhookUrl();
    if (url === undefined) return { refusal: 'no webhook is registered' };
    const views = body === undefined ? told.flatMap((item) => view(item) ?? []) : [body];
    const pix = valor === undefined ? views : views.map((item) => ({ ...item, valor }));
    const text = JSON.stringify({ pix });
    const answer = await postWithCertificate(`${url.replace(/\/$/, '')}/pix`, text, caller, signal);
    if ('refusal' in answer) return answer;
    return answer.status === 200 ? { answer: null } : { refusal: `HTTP ${answer.status}` };
  }
}
