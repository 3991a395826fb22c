/**
 * Takes a base backup over the replication protocol: the files of the running server as one compressed archive, with the log
 * that makes them consistent, and PostgreSQL's manifest of their checksums. The server keeps working meanwhile.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import type { Clock } from '../../foundation/clock.ts';
import { BackupError } from './backup-error.ts';
import { BASE_ARCHIVE, type BaseBackup, beginBase, finishBase, keepSystemId, MANIFEST } from './backup-folder.ts';
import { openReplication } from './replication-connection.ts';

/** The log is part of the archive, so the backup can be restored without the log's archive. */
const COMMAND =
  "BASE_BACKUP (LABEL 'gateway backup', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

interface Manifest {
  readonly 'WAL-Ranges': readonly {
    readonly Timeline: number;
    readonly 'Start-LSN': string;
    readonly 'End-LSN': string;
  }[];
}

/** Throws BackupError. `folder` contains all backups. */
export async function takeBaseBackup(config: pg.ClientConfig, folder: string, clock: Clock): Promise<BaseBackup> {
  const connection = await openReplication(config);
  try {
    const { systemId } = await connection.identify();
    const [version] = await connection.query<{ server_version_num: string }>('SHOW server_version_num');
    await keepSystemId(folder, systemId);
    const unfinished = await beginBase(folder);
    const archive = openArchive(join(unfinished, BASE_ARCHIVE));
    const manifest: Buffer[] = [];
    const reader = readBaseBackup({ onArchive: archive.write, onManifest: async (part) => void manifest.push(part) });
    try {
      await connection.copy(COMMAND, reader);
    } finally {
      await archive.close();
    }
    const text = Buffer.concat(manifest);
    await writeDurably(join(unfinished, MANIFEST), text);
    const takenAt = clock.now();
    const backup: BaseBackup = {
      name: nameAt(takenAt),
      takenAt,
      systemId,
      postgresVersion: Math.floor(Number(version?.server_version_num) / 10_000),
      ...rangeOf(checkedManifest(text)),
      bytes: archive.bytes(),
    };
    await finishBase(folder, backup);
    return backup;
  } finally {
    await connection.close();
  }
}

function nameAt(takenAt: number): string {
  return new Date(takenAt).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
}

function rangeOf({ 'WAL-Ranges': ranges }: Manifest): Pick<BaseBackup, 'timeline' | 'startPosition' | 'endPosition'> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) throw new Error('The manifest of the base backup has no WAL range');
  return { timeline: first.Timeline, startPosition: first['Start-LSN'], endPosition: last['End-LSN'] };
}

/** Checks the manifest by its last line, which is the checksum of all earlier lines, and returns it. */
export function checkedManifest(text: Buffer): Manifest & { readonly Files: readonly ManifestFile[] } {
  const at = text.lastIndexOf('"Manifest-Checksum"');
  const manifest = JSON.parse(text.toString());
  const sum = createHash('sha256').update(text.subarray(0, at)).digest('hex');
  if (manifest['Manifest-Checksum'] === sum) return manifest;
  throw new BackupError('The manifest of the base backup is damaged', 'Use another base backup');
}

export interface ManifestFile {
  readonly Path?: string;
  readonly 'Encoded-Path'?: string;
  readonly Size: number;
  readonly Checksum: string;
}

interface Parts {
  readonly onArchive: (part: Buffer) => Promise<void>;
  readonly onManifest: (part: Buffer) => Promise<void>;
}

/** The messages of a base backup: `n` a new archive, `m` the manifest begins, `d` data of either, `p` progress. */
function readBaseBackup({ onArchive, onManifest }: Parts): (message: Buffer) => Promise<void> {
  let receive = onArchive;
  return async (message) => {
    const kind = String.fromCharCode(message[0] ?? 0);
    if (kind === 'd') await receive(message.subarray(1));
    else if (kind === 'm') receive = onManifest;
    else if (kind === 'n' && !message.subarray(1).toString().startsWith('base.tar\0'))
      throw new BackupError('The database has tablespaces', 'Back it up with pgBackRest or pg_basebackup');
  };
}

function openArchive(path: string) {
  const gzip = createGzip({ level: 1 });
  let size = 0;
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600, flush: true }));
  // A failure reaches the caller through the next `write` or `close`.
  written.catch(() => {});
  return {
    bytes: () => size,
    async write(part: Buffer): Promise<void> {
      size += part.length;
      if (!gzip.write(part)) await Promise.race([drained(gzip), written]);
    },
    async close(): Promise<void> {
      gzip.end();
      await written;
    },
  };
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
  });
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
