/** The fault "out of order": the first message waits until a second was sent. Without a second message it is sent late. */
import type { TimerSet } from '../clock.ts';

export class Overtaking<Message> {
  readonly #timers: TimerSet;
  readonly #lateMs: number;
  readonly #send: (message: Message) => Promise<void>;
  #waiting: Message | undefined;

  /** The owner cancels `timers`. */
  constructor(timers: TimerSet, lateMs: number, send: (message: Message) => Promise<void>) {
    this.#timers = timers;
    this.#lateMs = lateMs;
    this.#send = send;
  }

  /** Resolves when both messages were sent. For the message that waits, resolves immediately. */
  async send(message: Message): Promise<void> {
    const earlier = this.#waiting;
    if (earlier === undefined) {
      this.#waiting = message;
      this.#timers.after(this.#lateMs, () => this.#giveUp(message));
      return;
    }
    this.#waiting = undefined;
    await this.#send(message);
    await this.#send(earlier);
  }

  stop(): void {
    this.#waiting = undefined;
  }

  #giveUp(message: Message): void {
    if (this.#waiting !== message) return;
    this.#waiting = undefined;
    void this.#send(message);
  }
}
