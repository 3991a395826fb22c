/**
 * The load: keep-alive connections that send ready-made requests and take the time of each answer. Closed loop (each
 * connection sends its next request when it has its answer) or open loop (requests leave at a fixed rate, and time
 * counts from when each was to leave, so that a server that stalls can't hide it).
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly url: URL;
  /** Whole HTTP requests, sent once each, in this order. When they are used up the load ends. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second over all connections; undefined = closed loop. */
  readonly rate?: number;
  /** True for an answer that counts. */
  readonly isGood: (status: number, body: string) => boolean;
  /** Told of each answer that counts: of which request, and when that left (open loop: was to leave), by `monotonicMs`. */
  readonly onGood?: (request: number, sentAtMs: number) => void;
}

/** A time that all processes of this machine share, and that nobody sets. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export interface LoadResult {
  readonly sent: number;
  readonly good: number;
  /** Answers that do not count: refusals, wrong bodies. */
  readonly bad: number;
  /** Requests without an answer: broken connections. */
  readonly dropped: number;
  readonly elapsedMs: number;
  /** Good answers a second. */
  readonly rate: number;
  readonly latencyMs: Latency;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const startedAt = monotonicMs();
  const until = startedAt + load.durationMs;
  const latencies: number[] = [];
  const counts = { sent: 0, good: 0, bad: 0, dropped: 0 };
  const intervalMs = load.rate === undefined ? 0 : 1_000 / load.rate;

  async function drive(): Promise<void> {
    const connection = await openConnection(load.url);
    for (;;) {
      const index = counts.sent;
      const request = load.requests[index];
      const dueAt = intervalMs === 0 ? monotonicMs() : startedAt + index * intervalMs;
      if (request === undefined || dueAt >= until) break;
      counts.sent += 1;
      const aheadMs = dueAt - monotonicMs();
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
      try {
        const { status, body } = await connection.exchange(request);
        latencies.push(monotonicMs() - dueAt);
        const isGood = load.isGood(status, body);
        counts[isGood ? 'good' : 'bad'] += 1;
        if (isGood) load.onGood?.(index, dueAt);
      } catch {
        counts.dropped += 1;
        break;
      }
    }
    connection.close();
  }

  await Promise.all(Array.from({ length: load.connections }, drive));
  const elapsedMs = monotonicMs() - startedAt;
  return { ...counts, elapsedMs, rate: (counts.good / elapsedMs) * 1_000, latencyMs: latencyOf(latencies) };
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((left, right) => left - right);
  const quantile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999), max: quantile(1) };
}

/** A POST of JSON as it goes over the wire. */
export function rawPost(url: URL, path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const fields = {
    Host: url.host,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}

interface Connection {
  exchange(request: Buffer): Promise<{ status: number; body: string }>;
  close(): void;
}

/** Reads answers with a Content-Length, which is all that the measured servers send. */
async function openConnection(url: URL): Promise<Connection> {
  const socket = await connected(url);
  let received = '';
  let waiting:
    | { resolve: (answer: { status: number; body: string }) => void; reject: (error: Error) => void }
    | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const answer = readAnswer(received);
    if (!answer || !waiting) return;
    received = received.slice(answer.length);
    const { resolve } = waiting;
    waiting = undefined;
    resolve(answer);
  });
  const fail = () => waiting?.reject(new Error('the connection broke'));
  socket.on('error', fail).on('close', fail);
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.destroyed) return fail();
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function connected(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function readAnswer(text: string): { status: number; body: string; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: text.slice(headEnd + 4, length), length };
}
