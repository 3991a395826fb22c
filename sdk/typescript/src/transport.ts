/** Sends requests to the gateway. A request is retried with the same bytes, so it never becomes a second payment. */
import { OutcomeUnknown } from './errors.ts';

export interface TransportOptions {
  /** The URL that you got from your operator, such as `https://pay.example`. */
  readonly baseUrl: string;
  /** The timeout per attempt. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** The number of attempts per call. Defaults to 4. */
  readonly attempts?: number;
  /** For tests. */
  readonly fetch?: typeof fetch;
  readonly sleep?: (ms: number) => Promise<void>;
}

export interface GatewayAnswer {
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
  /** True if an earlier attempt of this call got no response. That attempt may have had an effect. */
  readonly isAfterSilence: boolean;
}

export type Send = (path: string, body: string, headers: Readonly<Record<string, string>>) => Promise<GatewayAnswer>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** Far larger than the longest page of a list. */
const LONGEST_ANSWER_BYTES = 16_777_216;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createSend({
  baseUrl,
  timeoutMs = 30_000,
  attempts = 4,
  sleep = wait,
  ...rest
}: TransportOptions): Send {
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must begin with https://');
  const send = rest.fetch ?? fetch;
  const base = baseUrl.replace(/\/+$/, '');
  return async (path, body, headers) => {
    let isAfterSilence = false;
    let reason = '';
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 2));
      try {
        const response = await send(base + path, {
          method: 'POST',
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
          headers: { 'content-type': 'application/json', ...headers },
        });
        const text = await textOf(response);
        // A 5xx, of the gateway or a proxy, proves nothing about the outcome, whatever its body contains.
        const json = response.status < 500 ? parse(text) : undefined;
        const pause = response.status === 429 ? secondsOf(response) * 1_000 : undefined;
        if (pause !== undefined && attempt < attempts) await sleep(Math.min(pause, LONGEST_PAUSE_MS));
        else if (json !== undefined) return { text, json, headers: response.headers, isAfterSilence };
        // A proxy's page, or the empty 500 of an unknown outcome.
        if (json === undefined) isAfterSilence = true;
        reason = `HTTP ${response.status}`;
      } catch (error) {
        isAfterSilence = true;
        reason =
          error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
      }
    }
    throw new OutcomeUnknown(`no usable response after ${attempts} attempts (${reason})`);
  };
}

/** Throws after too many bytes, which closes the connection. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER_BYTES) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A proxy may send a date instead of seconds. */
function secondsOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return seconds >= 0 ? seconds : 1;
}

/** Returns undefined unless the text is a JSON object or array. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
