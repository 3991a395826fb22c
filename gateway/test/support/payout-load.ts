/**
 * Merchants under load, as real ones behave: several clients send payouts one after the other, and who gets no answer,
 * or one that says nothing, sends the same request again until there is an answer. What was acknowledged is kept.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import type { RequestFields } from './payout-request.ts';
import type { Choices } from './seeded.ts';
import { provenReply, type Reply, type TestMerchant } from './test-merchant.ts';

/** Methods with every kind of amount that ends by itself; the sandbox among them. */
const METHODS = [1, 16, 34, 70] as const;
const AMOUNTS = ['10.00', '1.00', '7.25', '3.00', '10.40', '10.42', '10.44', '10.50', '10.51', '10.62'] as const;

/** How long a client waits between two payouts, at most: in the full run they leave the machine no rest. */
const PAUSE_MS = process.env['TEST_FULL'] ? 10 : 100;
const RETRY_MS = 100;
const ANSWERED_WITHIN_MS = 4_000;
const FINISHED_WITHIN_MS = 90_000;

export interface LoadOptions {
  readonly merchants: readonly TestMerchant[];
  /** Where the next request goes; asked anew each time. */
  readonly url: () => string;
  readonly choices: Choices;
  readonly clients: number;
  /** Begins the ids, where a test has several loads. */
  readonly prefix?: string;
  /** How long a client waits for an answer; longer where not one request may fail, however busy the machine is. */
  readonly answeredWithinMs?: number;
}

export interface Acknowledged {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly reply: Reply;
}

export interface PayoutLoad {
  readonly acknowledged: readonly Acknowledged[];
  /** Requests that were answered with nothing, or not at all. */
  readonly unanswered: () => number;
  /** Why, each of them. */
  readonly reasons: () => readonly string[];
  /** Lets each client finish its payout. Rejects if any of them met an answer that it must not. */
  stop(): Promise<void>;
  /** Ends all clients as they are, for when the test has failed already. */
  abandon(): void;
}

export function startLoad(options: LoadOptions): PayoutLoad {
  const acknowledged: Acknowledged[] = [];
  const reasons: string[] = [];
  // As many connections as clients, so that none lies idle: which of the two sides ends such a one is a matter of chance.
  const connections = new Agent({ connections: options.clients });
  let stoppedAt: number | undefined;

  async function client(name: string): Promise<void> {
    for (let count = 0; stoppedAt === undefined; count++) {
      const { choices } = options;
      const merchant = choices.oneOf(options.merchants);
      const method = choices.oneOf(METHODS);
      const amount = choices.oneOf(AMOUNTS);
      const payoutId = `${options.prefix ?? ''}${name}-${count}`;
      const body = merchant.request(method, payoutId, { amount });
      acknowledged.push({ merchant, payoutId, reply: await untilAnswered(merchant, body) });
      if (choices.between(1, 10) === 1) await untilAnswered(merchant, body);
      await sleep(choices.between(0, PAUSE_MS));
    }
  }

  async function untilAnswered(merchant: TestMerchant, body: RequestFields): Promise<Reply> {
    for (;;) {
      const reply = await tryOnce(options, connections, merchant, body).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
        return `${error}: ${(error as Error).cause}`;
      });
      if (typeof reply !== 'string') return reply;
      reasons.push(reply);
      if (stoppedAt !== undefined && Date.now() - stoppedAt > FINISHED_WITHIN_MS) {
        throw new Error(`${merchant.id}/${body['payout_id']} was never answered`);
      }
      await sleep(RETRY_MS);
    }
  }

  const running = Promise.all(Array.from({ length: options.clients }, (_, index) => client(`c${index}`)));
  running.catch(() => undefined);
  return {
    acknowledged,
    unanswered: () => reasons.length,
    reasons: () => reasons,
    async stop() {
      stoppedAt ??= Date.now();
      await running;
      await connections.close();
    },
    abandon() {
      stoppedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** A text: nothing is known, and why. Throws what no client may be told about a good request. */
async function tryOnce(
  { url, answeredWithinMs = ANSWERED_WITHIN_MS }: LoadOptions,
  dispatcher: Agent,
  merchant: TestMerchant,
  body: RequestFields,
): Promise<Reply | string> {
  const response = await fetch(`${url()}/merchant/api/payout_send`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answeredWithinMs),
  });
  const text = await response.text();
  if (response.status === 500) assert.equal(text, '', 'an unknown outcome says nothing');
  if (response.status === 500 || response.status === 429) return `HTTP ${response.status} ${text}`;
  const { status, headers } = response;
  const reply = provenReply({ status, headers, text, json: JSON.parse(text) }, merchant.key);
  assert.notEqual(reply['status'], 'Error', text);
  return reply;
}
