/** Where the gateway's JSON log goes while the screen belongs to the demo. A log that can't be written stops nothing. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoFailure } from './demo-failure.ts';
import { screen } from './screen.ts';

export interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

/** Makes the data directory where it is missing. */
export async function openLogFile(dataDir: string): Promise<LogFile> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw error;
    throw new DemoFailure(
      `The data directory ${dataDir} can't be made, because a file stands in its place: move it, or set GATEWAY_DATA_DIR`,
    );
  });
  const path = join(dataDir, 'gateway.log');
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  let broken = false;
  stream.on('error', (error) => {
    if (!broken) screen.event('✗', `the log can't be written: ${error.message}`);
    broken = true;
  });
  return {
    write(line) {
      if (!broken) stream.write(line);
    },
    close: () => new Promise((resolve) => (broken ? resolve() : stream.end(() => resolve()))),
  };
}
