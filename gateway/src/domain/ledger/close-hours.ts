/**
 * Closes the hours of the ledger, so that no further posting enters them. Snapshots, volumes and statements of closed hours
 * never change. The steps guarantee it:
 *
 * 1. The announcement is committed. Every posting statement that begins afterwards reads it, and raises its time to it.
 * 2. A statement that began before has a time limit. After that limit, it has ended or holds the lock of its merchant.
 * 3. The lock of each merchant is acquired once. Every transaction that held it before has then ended.
 * 4. The hours are read and stored, in one transaction with the mark.
 *
 * No step depends on the clocks of other processes. A process that dies leaves at most an announcement.
 */
import { type Clock, DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { ClosingStore } from './closing-store.ts';

interface CloseHoursParts {
  readonly store: ClosingStore;
  readonly clock: Clock;
  /** Resolves to the database's clock minus ours, in milliseconds. */
  readonly clockDifference: () => Promise<number>;
  /** A time longer than the limit of any posting statement. */
  readonly statementLimitMs: number;
}

/** An hour closes this long after its end, so that postings of its last moments rarely move to the next hour. */
const SETTLING_MS = 2 * MINUTE_MS;
/** The number of merchants per transaction. */
const MERCHANTS_AT_ONCE = 500;

/** Resolves to the instant until which all merchants are now closed. */
export async function closeHours(parts: CloseHoursParts, signal: AbortSignal): Promise<Instant> {
  const { store, clock, clockDifference, statementLimitMs } = parts;
  // An announcement moves later postings, so it must not be in the future of any clock.
  const now = clock.now() + Math.min(0, await clockDifference());
  const until = Math.floor((now - SETTLING_MS) / HOUR_MS) * HOUR_MS;
  await store.announce(until);
  const open = await store.open(until);
  if (open.length === 0) return until;
  await clock.sleep(statementLimitMs, signal);
  for (const { merchantId } of open) {
    if (signal.aborted) return until;
    await store.awaitPostings(merchantId);
  }
  for (const [from, merchantIds] of byClosedUntil(open)) {
    // A merchant without closed hours has few postings, which are found by its key instead of by time.
    const atOnce = Number.isFinite(from) ? MERCHANTS_AT_ONCE : 1;
    for (let first = 0; first < merchantIds.length; first += atOnce) {
      const some = merchantIds.slice(first, first + atOnce);
      for (let start = from; start < until && !signal.aborted; ) {
        const end = Number.isFinite(start) ? Math.min(start + DAY_MS, until) : until;
        await store.close(some, start, end);
        start = end;
      }
    }
  }
  return until;
}

function byClosedUntil(open: Awaited<ReturnType<ClosingStore['open']>>): Map<Instant, MerchantId[]> {
  const groups = new Map<Instant, MerchantId[]>();
  for (const { merchantId, closedUntil } of open)
    groups.set(closedUntil, [...(groups.get(closedUntil) ?? []), merchantId]);
  return groups;
}
