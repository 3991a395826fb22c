/**
 * Writes PostgreSQL's log into segment files. A segment has the suffix `.partial` until it is complete. Bytes are treated as
 * archived only after they are on the disk.
 */
import { constants, type FileHandle, mkdir, open, readdir, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { readSegmentName, SEGMENT_BYTES, segmentName, startOfSegment } from './wal-position.ts';

const PARTIAL = '.partial';

export interface SegmentWriter {
  write(position: bigint, bytes: Buffer): Promise<void>;
  /** Makes the written bytes durable. Returns the position up to which the archive is complete. */
  flush(): Promise<bigint>;
  close(): Promise<void>;
}

/** `start` is the first position of a segment. */
export function openSegmentWriter(folder: string, timeline: number, start: bigint): SegmentWriter {
  let written = start;
  let flushed = start;
  let file: FileHandle | undefined;

  const pathOf = (position: bigint) => join(folder, segmentName(timeline, position));

  async function openSegment(): Promise<FileHandle> {
    const path = `${pathOf(written)}${PARTIAL}`;
    // The server sends an interrupted segment again. Its bytes stay until the same bytes replace them.
    const opened = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    // A server that replays a partial segment reads zeros as the end of the log.
    await truncate(path, Number(SEGMENT_BYTES));
    return opened;
  }

  async function flush(): Promise<bigint> {
    if (file && flushed < written) await file.datasync();
    flushed = written;
    return flushed;
  }

  async function completeSegment(): Promise<void> {
    await flush();
    await file?.close();
    file = undefined;
    const path = pathOf(written - 1n);
    await rename(`${path}${PARTIAL}`, path);
  }

  return {
    async write(position, bytes) {
      if (position !== written) throw new Error(`The WAL continues at ${position}, and ${written} was expected`);
      for (let at = 0; at < bytes.length; ) {
        file ??= await openSegment();
        const offset = written - startOfSegment(written);
        const length = Math.min(bytes.length - at, Number(SEGMENT_BYTES - offset));
        await file.write(bytes, at, length, Number(offset));
        at += length;
        written += BigInt(length);
        if (written % SEGMENT_BYTES === 0n) await completeSegment();
      }
    },
    flush,
    async close() {
      await flush();
      await file?.close();
      file = undefined;
    },
  };
}

/** Returns the position after the timeline's last complete segment, where its archive continues. Undefined without a segment. */
export async function endOfArchive(folder: string, timeline: number): Promise<bigint | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const segments = (await readdir(folder))
    .filter((name) => !name.endsWith(PARTIAL))
    .map(readSegmentName)
    .filter((segment) => segment?.timeline === timeline)
    .map((segment) => segment?.start ?? 0n);
  return segments.length === 0 ? undefined : segments.reduce((a, b) => (a > b ? a : b)) + SEGMENT_BYTES;
}
