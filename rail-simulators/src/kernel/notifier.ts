/**
 * Notifies the provider's client of events until it accepts each. Faults disable, delay, duplicate or reorder notifications.
 * Each provider adds faults that change the content.
 */
import { type Clock, TimerSet } from '../clock.ts';
import { InTurn } from './in-turn.ts';
import { Overtaking } from './overtaking.ts';
import { type Answered, type Letter, type Pace, post, RetryingSender } from './retrying-sender.ts';

interface NotifierOptions<Message> {
  /** The sender's name, as the prefix of log lines. */
  readonly owner: string;
  /** Returns the name of a message for the log. */
  readonly nameOf: (message: Message) => string;
  /** Notifications about one subject are sent in order, each after the first attempt of the previous one. */
  readonly subjectOf: (message: Message) => string | number;
  /** Returns the current fault for the message. Faults that concern neither time nor number are ignored here. */
  readonly fault: (message: Message) => string;
  readonly write: (message: Message) => Letter;
  /** Returns whether the client accepted the message. By default, any 2xx does. */
  readonly isAccepted?: (answered: Answered, message: Message) => boolean;
  readonly onAccepted?: (message: Message, answered: Answered) => void;
  readonly pace?: Pace;
  /** If true, notifications wait while they are off. By default they are lost. */
  readonly waitsWhenOff?: boolean;
}

export interface NotifierWorks {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** The delay of a late notification, and how long a notification waits to be overtaken by the next. */
  readonly delays: { readonly lateMs: number };
}

/** When and how often a notification is sent. A provider may have further faults. */
export const NOTIFICATION_MODES = ['on', 'off', 'twice', 'twice_and_late', 'late', 'out_of_order'] as const;

const LIMITS = { inFlight: 32, waiting: 10_000 };

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
      owner,
      nameOf,
      clock,
      log,
      limits: LIMITS,
      onAccepted,
      pace,
      async attempt(message, stopping) {
        if (fault(message) === 'off') return { refusal: 'switched off' };
        const answered = await post(write(message), stopping);
        if ('refusal' in answered) return answered;
        return isAccepted(answered, message) ? { answer: answered } : { refusal: `HTTP ${answered.status}` };
      },
    });
  }

  /** Resolves after the first attempt, or immediately if the notification is delayed. */
  async notify(message: Message): Promise<void> {
    switch (this.#options.fault(message)) {
      case 'off':
        return this.#options.waitsWhenOff === true ? this.#send(message) : undefined;
      case 'late':
        return this.#sendLate(message);
      case 'out_of_order':
        return this.#overtaking.send(message);
      case 'twice_and_late':
        this.#sendLate(message);
        return this.#sendTwice(message);
      case 'twice':
        return this.#sendTwice(message);
      default:
        return this.#send(message);
    }
  }

  /** Drops all waiting notifications and aborts those in flight. */
  stop(): void {
    this.#timers.cancelAll();
    this.#overtaking.stop();
    this.#inTurn.stop();
    this.#sender.stop();
  }

  #sendLate(message: Message): void {
    this.#timers.after(this.#lateMs, () => void this.#send(message));
  }

  /** The second copy does not wait for the subject's earlier notifications. */
  async #sendTwice(message: Message): Promise<void> {
    await Promise.all([this.#send(message), this.#sender.send(message)]);
  }

  #send(message: Message): Promise<void> {
    return this.#inTurn.run(this.#options.subjectOf(message), () => this.#sender.send(message));
  }
}
