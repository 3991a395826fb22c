/**
 * The audit entries of a bulk read: one before its first byte, and one after its last. A client that leaves early has still
 * read the sent part.
 */
import type { ActStore } from '../../../domain/audit/act-store.ts';
import type { AuditPhase } from '../../../domain/audit/audit-entry.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { Clock } from '../../../foundation/clock.ts';
import { maskCardNumbers } from '../acts/card-numbers-in-acts.ts';
import { CredentialEnded } from './file-stream-limits.ts';

export interface ReadingParts {
  readonly acts: Pick<ActStore, 'begin' | 'end'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface Reading {
  readonly act: string;
  readonly object: string;
  /** The chain that has the entries. */
  readonly merchantId: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly address: string | null;
}

export function createRecord({ acts, clock }: ReadingParts, { caller: { actor }, requestId, ...place }: Reading) {
  const key = { caller: `${actor.kind}:${actor.id}`, key: `reading:${requestId}` };
  const common = { ...place, actId: requestId, actor, requestId, reason: null };
  return async (phase: AuditPhase, said: unknown): Promise<void> => {
    const entry = { ...common, at: clock.now(), phase, detail: JSON.stringify(maskCardNumbers(said)) };
    if (phase === 'begun') await acts.begin({ key, requestHash: Buffer.alloc(0), entry, deadBefore: 0 });
    else await acts.end({ key, entry, answered: { status: phase === 'done' ? 200 : 500, answer: null } });
  };
}

/** The entries of a response that shows personal data. The response leaves only after them. */
export async function recordRead(parts: ReadingParts, reading: Reading, asked: unknown): Promise<void> {
  const record = createRecord(parts, reading);
  await record('begun', asked);
  await record('done', null);
}

/** Yields the chunks of a file, and records an entry before and after them. */
export async function* recordFile(
  parts: ReadingParts,
  reading: Reading,
  asked: unknown,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const record = createRecord(parts, reading);
  await record('begun', asked);
  let bytes = 0;
  let end: AuditPhase = 'failed';
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
    end = 'done';
  } catch (error) {
    if (error instanceof CredentialEnded) end = 'rejected';
    throw error;
  } finally {
    await record(end, { bytes });
  }
}
