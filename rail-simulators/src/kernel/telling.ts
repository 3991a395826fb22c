/**
 * A provider that tells its client of things until each is accepted, and how that goes wrong: off, late, twice, out of order.
 * What is wrong with the bytes themselves is the provider's own.
 */
import { type Clock, TimerSet } from '../clock.ts';
import { InTurn } from './in-turn.ts';
import { Overtaking } from './overtaking.ts';
import { RetryingSender, type SenderOptions } from './retrying-sender.ts';

export interface TellingOptions<Message, Answer extends string>
  extends Pick<SenderOptions<Message, Answer>, 'owner' | 'nameOf' | 'attempt' | 'onAccepted' | 'log'> {
  readonly clock: Clock;
  /** What is told of one subject is told in its order, each after the first attempt of the one before. */
  readonly subjectOf: (message: Message) => string;
  /** The fault that holds for it at the moment; those that are not about when and how often are not looked at. */
  readonly fault: (message: Message) => string;
  /** How long what is late is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
}

/** When and how often something is told; a provider has faults of its own beside these. */
export const tellingModes = ['on', 'off', 'twice', 'twice_and_late', 'late', 'out_of_order'] as const;

const limits = { underWay: 32, waiting: 10_000 };

export class Telling<Message, Answer extends string> {
  readonly #options: TellingOptions<Message, Answer>;
  readonly #timers: TimerSet;
  readonly #sender: RetryingSender<Message, Answer>;
  readonly #inTurn = new InTurn<string>();
  readonly #overtaking: Overtaking<Message>;

  constructor(options: TellingOptions<Message, Answer>) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
    this.#overtaking = new Overtaking(this.#timers, options.lateMs, (message) => this.#send(message));
    this.#sender = new RetryingSender<Message, Answer>({ ...options, limits });
  }

  /** Resolves after the first attempt, or at once where that is put off. */
  tell(message: Message): Promise<void> {
    switch (this.#options.fault(message)) {
      case 'off':
        return Promise.resolve();
      case 'late':
        this.#sendLate(message);
        return Promise.resolve();
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
    this.#timers.after(this.#options.lateMs, () => void this.#send(message));
  }

  /** The second in nobody's turn. */
  async #sendTwice(message: Message): Promise<void> {
    await Promise.all([this.#send(message), this.#sender.send(message)]);
  }

  #send(message: Message): Promise<void> {
    return this.#inTurn.run(this.#options.subjectOf(message), () => this.#sender.send(message));
  }
}
