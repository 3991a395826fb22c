/**
 * Notifies the provider's client of things until each is accepted, and how that goes wrong: off, late, twice, out of order.
 * What is wrong with the bytes themselves is the provider's own.
 */
import { type Clock, TimerSet } from '../clock.ts';
import { InTurn } from './in-turn.ts';
import { Overtaking } from './overtaking.ts';
import { type Answered, type Letter, type Pace, post, RetryingSender } from './retrying-sender.ts';

export interface NotifierOptions<Message> {
  /** Whose messages these are, as the log's lines begin. */
  readonly owner: string;
  /** How the log calls a message. */
  readonly nameOf: (message: Message) => string;
  /** Notifications of one subject leave in their order, each after the first attempt of the one before. */
  readonly subjectOf: (message: Message) => string | number;
  /** The fault that holds for it at the moment; those that are not about when and how often are not looked at. */
  readonly fault: (message: Message) => string;
  readonly write: (message: Message) => Letter;
  /** Whether the client took it: by any 2xx where this is not given. */
  readonly isAccepted?: (answered: Answered, message: Message) => boolean;
  readonly onAccepted?: (message: Message, answered: Answered) => void;
  readonly pace?: Pace;
  /** While notifications are off, they wait. Otherwise they are lost. */
  readonly waitsWhenOff?: boolean;
}

export interface NotifierWorks {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** How late a late notification is, and how long one waits for another to overtake it. */
  readonly delays: { readonly lateMs: number };
}

/** When and how often a notification is sent; a provider has faults of its own beside these. */
export const notificationModes = ['on', 'off', 'twice', 'twice_and_late', 'late', 'out_of_order'] as const;

const limits = { underWay: 32, waiting: 10_000 };

const isGood = ({ status }: Answered) => status >= 200 && status < 300;

export class Notifier<Message> {
  readonly #options: NotifierOptions<Message>;
  readonly #timers: TimerSet;
  readonly #lateMs: number;
  readonly #sender: RetryingSender<Message, Answered>;
  readonly #inTurn = new InTurn<string | number>();
  readonly #overtaking: Overtaking<Message>;

  constructor({ clock, log, delays: { lateMs } }: NotifierWorks, options: NotifierOptions<Message>) {
    const { owner, nameOf, fault, write, isAccepted = isGood, onAccepted = () => {}, pace = {} } = options;
    this.#options = options;
    this.#lateMs = lateMs;
    this.#timers = new TimerSet(clock);
    this.#overtaking = new Overtaking(this.#timers, lateMs, (message) => this.#send(message));
    this.#sender = new RetryingSender<Message, Answered>({
      ...{ owner, nameOf, clock, log, limits, onAccepted, pace },
      async attempt(message, stopping) {
        if (fault(message) === 'off') return { refusal: 'switched off' };
        const answered = await post(write(message), stopping);
        if ('refusal' in answered) return answered;
        return isAccepted(answered, message) ? { answer: answered } : { refusal: `HTTP ${answered.status}` };
      },
    });
  }

  /** Resolves after the first attempt, or at once where that is put off. */
  async notify(message: Message): Promise<void> {
    switch (this.#options.fault(message)) {
      case 'off':
        return this.#options.waitsWhenOff === true ? this.#send(message) : undefined;
      case 'late':
        return this.#sendLate(message);
      case 'out_of_order':
        return this.#overtaking.tell(message);
      case 'twice_and_late':
        this.#sendLate(message);
        return this.#sendTwice(message);
      case 'twice':
        return this.#sendTwice(message);
      default:
        return this.#send(message);
    }
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#timers.cancelAll();
    this.#overtaking.stop();
    this.#inTurn.stop();
    this.#sender.stop();
  }

  #sendLate(message: Message): void {
    this.#timers.after(this.#lateMs, () => void this.#send(message));
  }

  /** The second in nobody's turn. */
  async #sendTwice(message: Message): Promise<void> {
    await Promise.all([this.#send(message), this.#sender.send(message)]);
  }

  #send(message: Message): Promise<void> {
    return this.#inTurn.run(this.#options.subjectOf(message), () => this.#sender.send(message));
  }
}
