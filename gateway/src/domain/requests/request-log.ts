/**
 * The request log of one API process: a bounded queue in memory, written in batches. An endpoint passes a request to it once
 * its response is decided. Logging never delays or fails a request. Requests beyond a merchant's budget or the queue's length
 * are dropped, because the log explains rejections but proves nothing.
 */
import { type Clock, DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Random } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import type { MerchantWithKeys } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { Vault } from '../vault/vault.ts';
import { type LoggedRequest, REQUEST_OUTCOMES, type RequestOutcome, SIGNATURE_REASONS } from './logged-request.ts';
import { redactBytes, redactHeader } from './redact-request.ts';
import type { NewRecord, RequestLogStore } from './request-log-store.ts';

/** A request as received, still with card numbers and secrets. */
export interface ObservedRequest extends Omit<LoggedRequest, 'requestId'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: Buffer;
  readonly reply: Buffer;
}

export interface RequestLog {
  /** Counts the request, and returns whether the log has space for it, so that the caller can skip collecting data. */
  wants(merchantId: MerchantId, outcome: RequestOutcome): boolean;
  /** Like `wants`, for a request whose bytes contain a merchant but cannot be parsed. The merchant may be invented. */
  wantsUnread(merchantId: MerchantId): boolean;
  record(observed: ObservedRequest): void;
  /** Writes the queued requests. */
  close(): Promise<void>;
}

export interface RequestLogParts {
  readonly store: Pick<RequestLogStore, 'append' | 'trim'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
  readonly vault: Pick<Vault, 'sealFields'>;
  readonly clock: Clock;
  readonly random: Random;
  /** `cause` is `budget`, `queue` or `store`. */
  readonly onDropped: (cause: string, count: number) => void;
}

/** The number of requests that the gateway keeps for each merchant. */
const KEPT: Readonly<Record<RequestOutcome, number>> = { accepted: 100, rejected: 300, unproven: 300 };
export const KEPT_MS = 14 * DAY_MS;

/** The maximum per merchant and process in a minute. Accepted requests are a sample. */
const PER_MINUTE: Readonly<Record<RequestOutcome, number>> = { accepted: 6, rejected: 60, unproven: 60 };
/** The maximum of unreadable requests of all merchants, so that invented names neither fill the queue nor cause lookups. */
const UNREAD_PER_MINUTE = 300;
/** The maximum number of merchants counted per minute. The names in rejected requests may be invented. */
const MOST_COUNTED = 10_000;
const QUEUE_ENTRIES = 500;
const BATCH = 100;
const WRITE_EVERY_MS = 1 * SECOND_MS;
/** After this many requests of a merchant, the process deletes those above the limit. */
const TRIM_EVERY = 50;
const REQUEST_BYTES = 16 * 1024;
const REPLY_BYTES = 4 * 1024;

export function createRequestLog(parts: RequestLogParts): RequestLog {
  const { clock, onDropped } = parts;
  const budget = createBudget(clock, PER_MINUTE);
  const unread = createBudget(clock, { ...PER_MINUTE, unproven: UNREAD_PER_MINUTE });
  const trims = new Map<string, number>();
  let queue: ObservedRequest[] = [];
  let isScheduled = false;
  let written = Promise.resolve();

  async function writeQueue(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      try {
        await writeBatch(parts, trims, batch);
      } catch {
        // The database is unavailable. Other code reports the outage.
        onDropped('store', batch.length);
      }
    }
  }

  function writeAll(): Promise<void> {
    written = written.then(writeQueue);
    return written;
  }

  function writeSoon(): void {
    if (isScheduled) return;
    isScheduled = true;
    void clock.sleep(WRITE_EVERY_MS).then(() => {
      isScheduled = false;
      return writeAll();
    });
  }

  function wants(merchantId: MerchantId, outcome: RequestOutcome): boolean {
    const isWanted = budget(merchantId, outcome);
    if (!isWanted && outcome !== 'accepted') onDropped('budget', 1);
    return isWanted;
  }

  return {
    wants,
    wantsUnread(merchantId) {
      if (unread('', 'unproven')) return wants(merchantId, 'unproven');
      onDropped('budget', 1);
      return false;
    },
    record(observed) {
      if (queue.length >= QUEUE_ENTRIES) return onDropped('queue', 1);
      queue.push(bounded(observed));
      writeSoon();
    },
    close: writeAll,
  };
}

/** Copies the first bytes, so that the log does not keep a large body in memory. */
function bounded(observed: ObservedRequest): ObservedRequest {
  const { reply, request } = observed;
  return reply.length <= REPLY_BYTES && request.length <= REQUEST_BYTES
    ? observed
    : { ...observed, reply: Buffer.from(reply.subarray(0, REPLY_BYTES)) };
}

function createBudget(
  clock: Clock,
  perMinute: Readonly<Record<RequestOutcome, number>>,
): (merchantId: MerchantId, outcome: RequestOutcome) => boolean {
  let minute = 0;
  const counts = new Map<string, Record<RequestOutcome, number>>();
  return (merchantId, outcome) => {
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    let count = counts.get(merchantId);
    if (!count) {
      if (counts.size >= MOST_COUNTED) return false;
      count = { accepted: 0, rejected: 0, unproven: 0 };
      counts.set(merchantId, count);
    }
    count[outcome] += 1;
    return count[outcome] <= perMinute[outcome];
  };
}

async function writeBatch(
  parts: RequestLogParts,
  trims: Map<string, number>,
  batch: readonly ObservedRequest[],
): Promise<void> {
  const known = new Map<MerchantId, MerchantWithKeys | undefined>();
  const records: NewRecord[] = [];
  for (const observed of batch) {
    const { merchantId } = observed;
    if (!known.has(merchantId)) known.set(merchantId, await parts.directory.find(merchantId));
    const merchant = known.get(merchantId);
    if (merchant) records.push(recordOf(parts, observed, merchant));
  }
  await parts.store.append(records);
  const pairs = REQUEST_OUTCOMES.flatMap((outcome) => [...known.keys()].map((merchantId) => ({ merchantId, outcome })));
  for (const { merchantId, outcome } of pairs) {
    const written = records.filter(
      ({ record }) => record.merchantId === merchantId && record.outcome === outcome,
    ).length;
    const key = `${merchantId} ${outcome}`;
    const since = (trims.get(key) ?? 0) + written;
    if (since > 0) trims.set(key, since % TRIM_EVERY);
    if (since >= TRIM_EVERY) await parts.store.trim(merchantId, outcome, KEPT[outcome]);
  }
  if (trims.size > MOST_COUNTED) trims.clear();
}

function recordOf(
  { vault, random }: RequestLogParts,
  observed: ObservedRequest,
  { keys }: MerchantWithKeys,
): NewRecord {
  const { merchantId, receivedAt, reason, headers, request, reply } = observed;
  const isSignature = SIGNATURE_REASONS.has(reason);
  const redaction = { isProven: !isSignature, keys: [...keys.api, ...keys.form].map(({ secret }) => secret) };
  const kept = redactBytes(request, redaction).subarray(0, REQUEST_BYTES);
  const isWhole = request.length <= REQUEST_BYTES;
  const exact =
    isSignature && isWhole
      ? vault.sealFields(merchantId, receivedAt, { request: new Secret(request.toString('base64')) })
      : undefined;
  const shown = Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value, redaction)]);
  return {
    record: {
      ...observed,
      requestId: random.uuid(),
      headers: Object.fromEntries(shown),
      request: kept,
      requestBytes: request.length,
      reply: redactBytes(reply, redaction),
      vaultToken: exact?.token ?? null,
    },
    sealed: exact?.sealed ?? null,
    destroyAt: destroyAt(receivedAt),
  };
}

function destroyAt(receivedAt: Instant): Instant {
  return receivedAt + KEPT_MS;
}
