/**
 * Processes a request with an idempotency key once. A repeat gets the first response, or error 704 while the first request is
 * in progress. The keys exist only in memory.
 */
import type { Reply } from '../kernel/http-server.ts';
import { errorReply } from './views.ts';

export class IdempotentRequests {
  readonly #answers = new Map<string, Reply | 'at_work'>();

  /** `key` is empty for a request without an idempotency key. */
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
