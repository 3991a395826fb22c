/** What an undelivered callback waits for, by the reason: English texts. */
import type { WaitTexts } from './wait-texts.ts';

/** The facts that the texts mention. */
interface CallbackWaitFacts {
  /** The number of the next attempt of the schedule. */
  readonly attempt: number;
  readonly mostAttempts: number;
  /** The failures of the merchant's server in a row. */
  readonly failures: number;
}

const ANSWER_OK = 'make the URL return 2xx with the body OK within 15 seconds';

export const CALLBACK_WAITS = {
  first_attempt: () => ({ waitsFor: 'its first attempt', next: 'the gateway sends it', merchantCan: 'wait' }),
  in_flight: () => ({
    waitsFor: "the worker that delivers this merchant's callbacks now",
    next: 'the worker records the outcome; if it crashes, another worker takes over when the lease expires',
    merchantCan: 'wait',
  }),
  next_attempt: ({ attempt, mostAttempts }) => ({
    waitsFor: `attempt ${attempt} of ${mostAttempts}`,
    next: 'the gateway retries it with the same webhook-id',
    merchantCan: `${ANSWER_OK}, or resend it now`,
  }),
  server_failing: ({ failures }) => ({
    waitsFor: `the merchant's server, which failed ${failures} times in a row`,
    next: 'the gateway sends one callback as a probe; if the merchant acknowledges it, all others follow immediately',
    merchantCan: `${ANSWER_OK}, then resend one callback, which ends the pause`,
  }),
  undelivered: () => ({
    waitsFor: 'someone to act: every attempt failed, or no URL is set',
    next: 'nothing',
    merchantCan: `set the URL, ${ANSWER_OK}, then resend it; or read the result with the list call`,
  }),
} as const satisfies Readonly<Record<string, (facts: CallbackWaitFacts) => WaitTexts>>;
