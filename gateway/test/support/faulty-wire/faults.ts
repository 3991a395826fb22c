/** The faults that a wire applies to a request and its response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mutate } from '../mutations/mutate.ts';
import type { Choices } from '../tools/seeded.ts';
import type { Exchange, WireMessage, WireReply } from './exchange.ts';

export type Fault = (exchange: Exchange) => Promise<void>;
type Faults = Readonly<Record<string, Fault>>;

/** Some delays exceed the gateway's timeout in this test, others do not. */
const LONGEST_DELAY_MS = 1_200;
/** A time shorter than that after which "not found" proves that a request never arrived. */
const LONGEST_LATE_REQUEST_MS = 250;
/** A busy machine may wake late. The wire drops a request that would then arrive after that proof. */
const LOST_AFTER_MS = 600;
const SWAPPED_WITHIN_MS = 150;
const MOST_BYTES_CHANGED = 3;

const STATUSES = [200, 201, 202, 204, 301, 302, 400, 401, 402, 403, 404, 409, 410, 422, 425, 429, 500, 502, 503];
const UNAVAILABLE = '<html><head><title>503 Service Temporarily Unavailable</title></head></html>';

const page = (status: number): WireReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(UNAVAILABLE),
});

const inside = ({ body }: WireMessage, choices: Choices) => choices.between(0, Math.max(0, body.length - 1));

/** Returns the request with the content of another message on the wire. */
function changed({ body }: WireMessage, others: readonly WireMessage[], choices: Choices): Buffer {
  try {
    const other = choices.oneOf(others.filter((each) => isJson(each.body)));
    return Buffer.from(mutate(body.toString(), other.body.toString(), choices).text);
  } catch {
    return corrupt(body, choices);
  }
}

function isJson(body: Buffer): boolean {
  try {
    return typeof JSON.parse(body.toString()) === 'object';
  } catch {
    return false;
  }
}

function corrupt(body: Buffer, choices: Choices): Buffer {
  const copy = Buffer.from(body);
  for (let left = choices.between(1, MOST_BYTES_CHANGED); left > 0 && copy.length > 0; left--)
    copy[choices.between(0, copy.length - 1)] =
      choices.between(0, 3) === 0 ? choices.between(0, 255) : choices.between(48, 57);
  return copy;
}

/** Waits for another response on the wire, and swaps the two. */
async function swapped(reply: WireReply, { memory }: Exchange): Promise<WireReply> {
  const { waiting } = memory;
  if (waiting) {
    memory.waiting = undefined;
    return waiting(reply);
  }
  const { promise, resolve } = Promise.withResolvers<WireReply>();
  memory.waiting = (other) => {
    resolve(other);
    return reply;
  };
  const late = sleep(SWAPPED_WITHIN_MS).then(() => reply);
  return Promise.race([promise, late]);
}

const raw = ({ status, body }: WireReply, length: number, more = '') =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}${more}`;

function forwardLater({ later, forward, choices }: Exchange): void {
  const began = performance.now();
  const delayMs = choices.between(0, LONGEST_LATE_REQUEST_MS);
  later(async () => {
    await sleep(delayMs);
    if (performance.now() - began < LOST_AFTER_MS) await forward();
  });
}

/** Faults that preserve the content of messages. */
const TRANSPORT: Faults = {
  'request lost': async ({ cut }) => cut(),
  'request cut': async (exchange) => {
    await exchange.forwardCut(inside(exchange.request, exchange.choices));
    exchange.cut();
  },
  'request refused': async ({ answer, choices }) => answer(page(choices.oneOf([429, 502, 503]))),
  'request late': async (exchange) => {
    exchange.cut();
    forwardLater(exchange);
  },
  'request held': async ({ answer, cut, forward, choices }) => {
    const began = performance.now();
    await sleep(choices.between(0, LONGEST_LATE_REQUEST_MS));
    if (performance.now() - began < LOST_AFTER_MS) answer(await forward());
    else cut();
  },
  'reply lost': async ({ cut, forward }) => {
    await forward();
    cut();
  },
  'reply cut': async (exchange) => {
    const reply = await exchange.forward();
    exchange.answerCut(reply, inside(reply, exchange.choices));
  },
  'reply late': async ({ answer, forward, choices }) => {
    const reply = await forward();
    await sleep(choices.between(0, LONGEST_DELAY_MS));
    answer(reply);
  },
  'reply in pieces': async ({ answerSlowly, forward }) => answerSlowly(await forward()),
  'reply replaced by an error page': async ({ answer, forward, choices }) => {
    await forward();
    answer(page(choices.oneOf([500, 502, 503, 504])));
  },
  'reply after an informational status': async ({ answerRaw, forward }) => {
    const reply = await forward();
    answerRaw(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${raw(reply, reply.body.length)}`);
  },
};

const REPETITIONS: Faults = {
  'request twice': async ({ answer, forward }) => {
    await forward();
    answer(await forward());
  },
  'request twice concurrently': async ({ answer, forward, choices }) => {
    answer(choices.oneOf(await Promise.all([forward(), forward()])));
  },
  'request repeated later': async (exchange) => {
    exchange.answer(await exchange.forward());
    forwardLater(exchange);
  },
};

/** Faults that produce a complete response which the receiver did not send to this request. */
const REPLIES: Faults = {
  'reply cut unnoticed': async ({ answer, forward, choices }) => {
    const reply = await forward();
    answer({ ...reply, body: reply.body.subarray(0, inside(reply, choices)) });
  },
  'reply empty': async ({ answer, forward }) => answer({ ...(await forward()), body: Buffer.alloc(0) }),
  'reply longer than announced': async ({ answerRaw, forward, choices }) => {
    const reply = await forward();
    answerRaw(raw(reply, inside(reply, choices)));
  },
  'reply shorter than announced': async ({ answerRaw, forward }) => {
    const reply = await forward();
    answerRaw(raw(reply, reply.body.length + 10));
  },
  'reply twice': async ({ answerRaw, forward }) => {
    const reply = await forward();
    answerRaw(raw(reply, reply.body.length, raw(reply, reply.body.length)));
  },
  'reply corrupt': async ({ answer, forward, choices }) => {
    const reply = await forward();
    answer({ ...reply, body: corrupt(reply.body, choices) });
  },
  'reply changed': async ({ answer, forward, choices, memory }) => {
    const reply = await forward();
    answer({ ...reply, body: changed(reply, memory.replies, choices) });
  },
  'reply with another status': async ({ answer, forward, choices }) =>
    answer({ ...(await forward()), status: choices.oneOf(STATUSES) }),
  'reply of an earlier request': async ({ answer, forward, choices, memory }) => {
    const reply = await forward();
    answer(memory.replies.length > 0 ? choices.oneOf(memory.replies) : reply);
  },
  'replies swapped': async (exchange) => exchange.answer(await swapped(await exchange.forward(), exchange)),
};

/** Faults that produce a complete request which no one sent. */
const REQUESTS: Faults = {
  'request corrupt': async ({ answer, forward, request, choices }) =>
    answer(await forward({ ...request, body: corrupt(request.body, choices) })),
  'request changed': async ({ answer, forward, request, choices, memory }) =>
    answer(await forward({ ...request, body: changed(request, memory.requests, choices) })),
  'request cut unnoticed': async ({ answer, forward, request, choices }) =>
    answer(await forward({ ...request, body: request.body.subarray(0, inside(request, choices)) })),
  'request with the content of another': async ({ answer, forward, request, choices, memory }) => {
    const { body } = memory.requests.length > 0 ? choices.oneOf(memory.requests) : request;
    answer(await forward({ ...request, body }));
  },
  'request at the address of another': async ({ answer, forward, request, choices, memory }) => {
    const { path } = memory.requests.length > 0 ? choices.oneOf(memory.requests) : request;
    answer(await forward({ ...request, path }));
  },
  'earlier request once more': async ({ answer, forward, choices, memory }) => {
    const reply = await forward();
    if (memory.requests.length > 0) await forward(choices.oneOf(memory.requests));
    answer(reply);
  },
};

/**
 * Providers that execute each request, even with a reference that was used before. Only TLS protects them from replayed
 * requests, and the gateway never repeats a request blindly.
 */
const EXECUTES_REPETITIONS = new Set(['epoint', 'freedom-pay']);

/**
 * A call of the gateway always arrives unmodified. Only TLS protects unsigned requests, and a provider does what a modified
 * request says.
 */
export function callFaults(provider: string): Faults {
  return { ...TRANSPORT, ...REPLIES, ...(EXECUTES_REPETITIONS.has(provider) ? {} : REPETITIONS) };
}

/** Matches the providers that respond to no query about a payment. */
const ONLY_NOTIFIES = /\/rail-notifications\/adyen$/;

/**
 * Such a provider never repeats a notification that was acknowledged, even if the gateway never received it. Therefore the
 * wire acknowledges one only if the gateway did.
 */
function acknowledgeHonestly(fault: Fault): Fault {
  return (exchange) => {
    const { request, forward, answer } = exchange;
    if (!ONLY_NOTIFIES.test(request.path)) return fault(exchange);
    let isAccepted = false;
    return fault({
      ...exchange,
      async forward(instead = request) {
        const reply = await forward(instead);
        isAccepted ||= reply.status < 300 && instead.path === request.path && instead.body.equals(request.body);
        return reply;
      },
      answer: (reply) => answer(isAccepted || reply.status >= 300 ? reply : page(503)),
    });
  };
}

/** Notifications either prove their own content, or the gateway queries the provider. */
export const NOTIFICATION_FAULTS: Faults = Object.fromEntries(
  Object.entries({ ...TRANSPORT, ...REPETITIONS, ...REPLIES, ...REQUESTS }).map(([name, fault]) => [
    name,
    acknowledgeHonestly(fault),
  ]),
);
