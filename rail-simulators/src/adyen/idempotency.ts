/**
 * A request under an idempotency key is carried out once: a repetition gets the first one's answer, and one that comes
 * while the first is still at work gets error 704. Kept in memory for as long as the simulator runs.
 */
import type { Reply } from '../kernel/http-server.ts';
import { errorReply } from './replies.ts';

export class IdempotentRequests {
  readonly #answers = new Map<string, Reply | 'at_work'>();

  /** `key`: empty, the request stands for itself. */
  async once(key: string, carryOut: () => Promise<Reply>): Promise<Reply> {
    if (key === '') return carryOut();
    const before = this.#answers.get(key);
    if (before === 'at_work') return AT_WORK;
    if (before !== undefined) return before;
    this.#answers.set(key, 'at_work');
    try {
      const reply = await carryOut();
      this.#answers.set(key, reply);
      return reply;
    } catch (error) {
      this.#answers.delete(key);
      throw error;
    }
  }

  clear(): void {
    this.#answers.clear();
  }
}

const AT_WORK = errorReply({
  status: 422,
  errorCode: '704',
  message: 'request already processed or in progress',
  errorType: 'validation',
});
