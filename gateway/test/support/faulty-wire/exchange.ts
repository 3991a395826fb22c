/**
 * One request on a faulty connection ("wire"): it reaches the other side once, twice, partially or never, and so does the
 * response.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../tools/seeded.ts';

export interface WireMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface WireRequest extends WireMessage {
  readonly verb: string;
  readonly path: string;
}

export interface WireReply extends WireMessage {
  readonly status: number;
}

/** The receiver of the requests. `identity` is the client certificate for a server that requires one. */
export interface WireTarget {
  readonly origin: () => string;
  readonly identity?: () => { readonly ca: string; readonly cert: string; readonly key: string };
}

/** Messages that a wire remembers, so that it can put the content of one exchange into another. */
export interface WireMemory {
  readonly requests: WireRequest[];
  readonly replies: WireReply[];
  /** A response that waits to be swapped with the next response. */
  waiting: ((other: WireReply) => WireReply) | undefined;
}

export interface Exchange {
  readonly request: WireRequest;
  readonly choices: Choices;
  readonly memory: WireMemory;
  /** Sends the request, or `instead`, and resolves to the complete response. */
  forward(instead?: WireRequest): Promise<WireReply>;
  /** Sends the first bytes of the request's body, then breaks the connection to the receiver. */
  forwardCut(bytes: number): Promise<void>;
  answer(reply: WireReply): void;
  /** Sends the head of the response with its true length and the first bytes of the body, then breaks the connection. */
  answerCut(reply: WireReply, bytes: number): void;
  /** Sends the response in chunks with pauses. */
  answerSlowly(reply: WireReply): Promise<void>;
  /** Writes raw bytes, then closes the connection. */
  answerRaw(text: string): void;
  /** Breaks the connection to the sender. */
  cut(): void;
  /** Runs `work` after the exchange has ended. */
  later(work: () => Promise<unknown>): void;
}

/** Headers that belong to a connection, not to the message. */
const OF_THE_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);
const PIECES = 4;
const PIECE_PAUSE_MS = 20;
const CUT_AFTER_MS = 20;

function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));
}

export async function readMessage(message: IncomingMessage): Promise<WireMessage> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return { headers: plain(message.headers), body: Buffer.concat(chunks) };
}

function open({ origin, identity }: WireTarget, { verb, path, headers }: WireRequest, length: number) {
  const url = new URL(path, origin());
  const options = { method: verb, headers: { ...headers, 'content-length': length }, agent: false } as const;
  return url.protocol === 'https:' ? requestHttps(url, { ...options, ...identity?.() }) : requestHttp(url, options);
}

export function exchangeOver(
  target: WireTarget,
  request: WireRequest,
  response: ServerResponse,
  shared: Pick<Exchange, 'choices' | 'memory' | 'later'>,
): Exchange {
  const head = ({ status, headers, body }: WireReply) => {
    if (response.headersSent) return;
    response.writeHead(status, { ...headers, 'content-length': body.length });
  };
  return {
    request,
    ...shared,
    forward: (instead = request) =>
      new Promise((resolve, reject) => {
        const sent = open(target, instead, instead.body.length);
        sent.on('error', reject);
        sent.on('response', (answer) => {
          readMessage(answer).then((message) => resolve({ status: answer.statusCode ?? 0, ...message }), reject);
        });
        sent.end(instead.body);
      }),
    async forwardCut(bytes) {
      const sent = open(target, request, request.body.length);
      sent.on('error', () => {});
      if (bytes > 0) sent.write(request.body.subarray(0, bytes));
      else sent.flushHeaders();
      await sleep(CUT_AFTER_MS);
      sent.destroy();
    },
    answer(reply) {
      head(reply);
      response.end(reply.body);
    },
    answerCut(reply, bytes) {
      head(reply);
      response.write(reply.body.subarray(0, bytes), () => response.destroy());
    },
    async answerSlowly(reply) {
      head(reply);
      const length = Math.max(1, Math.ceil(reply.body.length / PIECES));
      for (let from = 0; from < reply.body.length; from += length) {
        response.write(reply.body.subarray(from, from + length));
        await sleep(PIECE_PAUSE_MS);
      }
      response.end();
    },
    answerRaw(text) {
      response.socket?.end(text);
    },
    cut: () => void response.socket?.destroy(),
  };
}
