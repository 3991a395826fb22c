/**
 * Archives PostgreSQL's log as it is written, like pg_receivewal. A replication slot keeps the log on the server while
 * no process follows it, so the archive has no gap. It reconnects until the caller aborts.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { BackupError } from './backup-error.ts';
import { keepSystemId, walFolder } from './backup-folder.ts';
import { type CopyChannel, openReplication, type ReplicationConnection } from './replication-connection.ts';
import { endOfArchive, openSegmentWriter, type SegmentWriter } from './segment-writer.ts';
import { formatPosition, parsePosition, startOfSegment, timelineFile } from './wal-position.ts';

export const SLOT = 'gateway_backup';

interface FollowOptions {
  readonly connection: pg.ClientConfig;
  readonly folder: string;
  readonly clock: Clock;
  /** Ends the archiving. The log that arrived until then is archived. */
  readonly signal: AbortSignal;
  /** Called when the archive is complete up to that position, at most once a second. */
  readonly onArchived?: (position: bigint) => void;
  /** Called once for each interruption. */
  readonly onInterrupted: (error: Error) => void;
}

const RETRY_MS = SECOND_MS;
const FLUSH_EVERY_MS = SECOND_MS;
/** PostgreSQL counts microseconds since the year 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HEADER = { data: 25, keepalive: 18 } as const;

/** Rejects with BackupError for a fault that a new connection cannot repair. */
export async function followLog(options: FollowOptions): Promise<void> {
  const { clock, signal, onInterrupted } = options;
  while (!signal.aborted) {
    try {
      await followOnce(options);
    } catch (error) {
      if (error instanceof BackupError) throw error;
      if (!signal.aborted) onInterrupted(error as Error);
    }
    if (!signal.aborted) await clock.sleep(RETRY_MS, signal);
  }
}

/** Follows one timeline. It ends when the server stops, when it changes its timeline, or by the signal. */
async function followOnce(options: FollowOptions): Promise<void> {
  const connection = await openReplication(options.connection);
  try {
    const { systemId, timeline, position } = await connection.identify();
    await keepSystemId(options.folder, systemId);
    const archived = await endOfArchive(walFolder(options.folder), timeline);
    const beginning = await keepTimeline(connection, options.folder, timeline);
    const slot = await openSlot(connection);
    const start = archived ?? startOfSegment(beginning ?? slot ?? position);
    const writer = openSegmentWriter(walFolder(options.folder), timeline, start);
    try {
      await copyLog(connection, { ...options, writer, timeline, start });
    } finally {
      await writer.close();
    }
  } finally {
    await connection.close();
  }
}

/**
 * The history of a timeline leads a restore from the log of the earlier primary to that of its successor. Returns the
 * position at which the timeline began, or undefined for the first timeline.
 */
async function keepTimeline(
  connection: ReplicationConnection,
  folder: string,
  timeline: number,
): Promise<bigint | undefined> {
  if (timeline === 1) return undefined;
  const [history] = await connection.query<{ content: string }>(`TIMELINE_HISTORY ${timeline}`);
  const content = String(history?.content ?? '');
  await writeFile(join(walFolder(folder), timelineFile(timeline)), content, { mode: 0o600, flush: true });
  const [, beginning] = /^\d+\s+([0-9A-F]+\/[0-9A-F]+)\s/.exec(content.trim().split('\n').at(-1) ?? '') ?? [];
  return beginning === undefined ? undefined : parsePosition(beginning);
}

/** Returns the position from which the server keeps its log, or undefined for a slot that this call created. */
async function openSlot(connection: ReplicationConnection): Promise<bigint | undefined> {
  const [slot] = await connection.query<{ slot_type: string | null; restart_lsn: string | null }>(
    `READ_REPLICATION_SLOT ${SLOT}`,
  );
  if (slot?.slot_type === 'physical') return slot.restart_lsn === null ? undefined : parsePosition(slot.restart_lsn);
  await connection.query(`CREATE_REPLICATION_SLOT ${SLOT} PHYSICAL RESERVE_WAL`);
  return undefined;
}

interface LogCopy extends FollowOptions {
  readonly writer: SegmentWriter;
  readonly timeline: number;
  readonly start: bigint;
}

async function copyLog(connection: ReplicationConnection, copy: LogCopy): Promise<void> {
  const { writer, clock, signal, onArchived = () => {}, start, timeline } = copy;
  const command = `START_REPLICATION SLOT ${SLOT} PHYSICAL ${formatPosition(start)} TIMELINE ${timeline}`;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = async (channel: CopyChannel) => {
    const position = await writer.flush();
    const now = clock.now();
    reportedAt = now;
    channel.send(statusUpdate(position, now));
    onArchived(position);
  };
  let end = () => {};
  const onAbort = () => end();
  signal.addEventListener('abort', onAbort);
  try {
    await connection.copy(
      command,
      async (message, channel) => {
        const kind = String.fromCharCode(message[0] ?? 0);
        if (kind === 'w') await writer.write(message.readBigUInt64BE(1), message.subarray(HEADER.data));
        const isAsked = kind === 'k' && message[HEADER.keepalive - 1] === 1;
        if (isAsked || clock.now() - reportedAt >= FLUSH_EVERY_MS) await report(channel);
      },
      (channel) => {
        end = () => channel.end();
      },
    );
  } catch (error) {
    throw explainGap(error as Error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The server deleted log that the archive lacks, in spite of the slot. */
function explainGap(error: Error): Error {
  return /requested WAL segment .* has already been removed/.test(error.message)
    ? new BackupError(
        `The server has deleted WAL that the archive lacks (${error.message})`,
        `Move the directory "wal" of the backups away, drop the slot ${SLOT}, start again, and take a base backup`,
      )
    : error;
}

/** The message `r`: everything up to `position` is written, durable, and need not be kept for us. */
function statusUpdate(position: bigint, now: Instant): Buffer {
  const message = Buffer.alloc(34);
  message.write('r', 0);
  for (const offset of [1, 9, 17]) message.writeBigUInt64BE(position, offset);
  message.writeBigInt64BE(BigInt(now - POSTGRES_EPOCH_MS) * 1_000n, 25);
  return message;
}
