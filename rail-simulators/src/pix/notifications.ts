/**
 * Notifies the client of Pix payments and refunds at `{webhookUrl}/pix`, one or more per request, until a 200 accepts it. A
 * callback shows the book as it is when it is sent.
 */
import { TimerSet } from '../clock.ts';
import type { NotifierWorks } from '../kernel/notifier.ts';
import { type Attempt, RetryingSender } from '../kernel/retrying-sender.ts';
import type { Faults } from './faults.ts';
import { type Caller, postWithCertificate } from './post-with-certificate.ts';

interface PixNotice {
  readonly txid: string;
  readonly endToEndId: string;
  /** The position of the reported entry in the book. */
  readonly seq: number;
}

interface CallbacksWorks extends NotifierWorks {
  readonly faults: Readonly<Faults>;
}

interface CallbacksParts {
  /** Returns the client's URL, or undefined until the client has registered one. */
  readonly webhookUrl: () => string | undefined;
  readonly caller: Caller;
  readonly view: (notice: PixNotice) => object | undefined;
  readonly onAccepted: (notices: readonly PixNotice[]) => void;
}

interface Message {
  readonly notices: readonly PixNotice[];
  readonly valor?: string;
  /** Replaces the content from the book. */
  readonly body?: object;
}

export class Callbacks {
  readonly #works: CallbacksWorks;
  readonly #parts: CallbacksParts;
  readonly #sender: RetryingSender<Message, null>;
  readonly #timers: TimerSet;
  /** Callbacks that wait to be sent as a list, or to be overtaken. */
  #held: PixNotice[] = [];

  constructor(works: CallbacksWorks, parts: CallbacksParts) {
    this.#works = works;
    this.#parts = parts;
    this.#timers = new TimerSet(works.clock);
    this.#sender = new RetryingSender<Message, null>({
      owner: 'Pix',
      nameOf: ({ notices }) => notices.map(({ txid }) => txid).join(', ') || 'made up',
      attempt: (message, signal) => this.#attempt(message, signal),
      onAccepted: ({ notices }) => parts.onAccepted(notices),
      clock: works.clock,
      log: works.log,
    });
  }

  /** True if the client has registered a URL. */
  isWanted(): boolean {
    return this.#parts.webhookUrl() !== undefined;
  }

  notify(notice: PixNotice): void {
    const { faults, delays } = this.#works;
    const mode = faults.notifications;
    if (mode === 'batched' || mode === 'out_of_order') this.#hold(notice, mode);
    else if (mode === 'late') this.#timers.after(delays.lateMs, () => this.#send({ notices: [notice] }));
    else if (mode === 'wrong_amount') this.#send({ notices: [notice], valor: '999999.99' });
    else if (mode !== 'off')
      for (let sent = mode === 'twice' ? 0 : 1; sent < 2; sent += 1) this.#send({ notices: [notice] });
  }

  /** Sends a callback for another client of the bank: its certificate is valid, but this book does not contain the payment. */
  notifyMadeUp(pix: object): void {
    this.#send({ notices: [], body: pix });
  }

  stop(): void {
    this.#timers.cancelAll();
    this.#held = [];
    this.#sender.stop();
  }

  #hold(notice: PixNotice, mode: 'batched' | 'out_of_order'): void {
    const isFirst = this.#held.push(notice) === 1;
    if (isFirst) this.#timers.after(this.#works.delays.lateMs, () => this.#release(mode));
    else if (mode === 'out_of_order') this.#release(mode);
  }

  #release(mode: 'batched' | 'out_of_order'): void {
    const held = this.#held;
    this.#held = [];
    if (mode === 'out_of_order') for (const notice of held.reverse()) this.#send({ notices: [notice] });
    else if (held.length > 0) this.#send({ notices: held });
  }

  #send(message: Message): void {
    void this.#sender.send(message);
  }

  async #attempt({ notices, valor, body }: Message, signal: AbortSignal): Promise<Attempt<null>> {
    const { webhookUrl, view, caller } = this.#parts;
    const url = webhookUrl();
    if (url === undefined) return { refusal: 'no webhook is registered' };
    const views = body === undefined ? notices.flatMap((item) => view(item) ?? []) : [body];
    const pix = valor === undefined ? views : views.map((item) => ({ ...item, valor }));
    const text = JSON.stringify({ pix });
    const answer = await postWithCertificate(`${url.replace(/\/$/, '')}/pix`, text, caller, signal);
    if ('refusal' in answer) return answer;
    return answer.status === 200 ? { answer: null } : { refusal: `HTTP ${answer.status}` };
  }
}
