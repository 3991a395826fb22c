/**
 * Realistic merchants under load: several clients send payouts one after the other. A client without a usable response repeats
 * the same request until it gets one. The load records all acknowledged payouts.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { provenReply, type Reply, type TestMerchant } from '../merchants/test-merchant.ts';
import type { Choices } from '../tools/seeded.ts';
import type { RequestFields } from './payout-request.ts';

/** Methods, including the sandbox, and amounts of every kind that completes without an operator. */
const METHODS = [1, 16, 34, 70] as const;
const AMOUNTS = ['10.00', '1.00', '7.25', '3.00', '10.40', '10.42', '10.44', '10.50', '10.51', '10.62'] as const;

/** The longest pause of a client between two payouts. The full run uses the machine's full capacity. */
const PAUSE_MS = process.env['TEST_FULL'] ? 10 : 300;
const RETRY_MS = 100;
const ANSWERED_WITHIN_MS = 4_000;
const FINISHED_WITHIN_MS = 90_000;

interface LoadOptions {
  readonly merchants: readonly TestMerchant[];
  /** Called for each request. */
  readonly url: () => string;
  readonly choices: Choices;
  readonly clients: number;
  /** The prefix of the ids, for tests with several loads. */
  readonly prefix?: string;
  /** The client's timeout. It is longer in tests in which no request may fail, however busy the machine is. */
  readonly answeredWithinMs?: number;
}

export interface Acknowledged {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly reply: Reply;
}

/** A request with an empty response or no response. */
export interface FailedRequest {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly reason: string;
}

export interface PayoutLoad {
  readonly acknowledged: readonly Acknowledged[];
  /** Returns the number of requests that a gateway received without a usable response. */
  readonly unanswered: () => number;
  /** Returns the number of connections that were refused because no gateway listened. */
  readonly refused: () => number;
  readonly failures: () => readonly FailedRequest[];
  /** Lets each client complete its payout. Rejects if a client received an unexpected response. */
  stop(): Promise<void>;
  /** Ends all clients immediately, for a test that has already failed. */
  abandon(): void;
}

export function startLoad(options: LoadOptions): PayoutLoad {
  const acknowledged: Acknowledged[] = [];
  const failures: FailedRequest[] = [];
  // As many connections as clients, so that none is idle: either side may close an idle connection.
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
      const reply = await attemptOnce(options, connections, merchant, body).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
        return `${error}: ${(error as Error).cause}`;
      });
      if (typeof reply !== 'string') return reply;
      failures.push({ merchantId: merchant.id, payoutId: String(body['payout_id']), reason: reply });
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
    unanswered: () => failures.filter((failure) => !isRefused(failure)).length,
    refused: () => failures.filter(isRefused).length,
    failures: () => failures,
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

function isRefused({ reason }: FailedRequest): boolean {
  return reason.includes('ECONNREFUSED');
}

/** Returns the reason if the outcome is unknown. Throws on a response that a valid request must not get. */
async function attemptOnce(
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
  if (response.status === 500) assert.equal(text, '', 'a 500 has an empty body');
  if (response.status === 500 || response.status === 429) return `HTTP ${response.status} ${text}`;
  const { status, headers } = response;
  const reply = provenReply({ status, headers, text, json: JSON.parse(text) }, merchant.key);
  assert.notEqual(reply['status'], 'Error', text);
  return reply;
}
