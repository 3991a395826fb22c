/**
 * Writes the gateway's JSON log to a file, because the demo uses the screen. The demo continues if the log cannot be written.
 */
import { constants, createWriteStream } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoFailure } from './demo-failure.ts';
import { screen } from './screen.ts';

export interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

/** Messages by errno. The gateway has the messages for other codes. */
const UNMAKEABLE: Readonly<Record<string, string>> = {
  EEXIST: 'a file has its name',
  ENOTDIR: 'a file has its name',
  ENOENT: 'its parent directory is missing',
};

/** Creates the data directory if it does not exist. */
export async function openLogFile(dataDir: string): Promise<LogFile> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = UNMAKEABLE[(error as NodeJS.ErrnoException).code ?? ''];
    if (!reason) throw error;
    throw new DemoFailure(`The data directory ${dataDir} cannot be created, because ${reason}: set GATEWAY_DATA_DIR`);
  }
  const path = join(dataDir, 'gateway.log');
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  let broken = false;
  stream.on('error', (error) => {
    if (!broken) screen.event('✗', `the log cannot be written: ${error.message}`);
    broken = true;
  });
  return {
    write(line) {
      if (!broken) stream.write(line);
    },
    close: () => new Promise((resolve) => (broken ? resolve() : stream.end(() => resolve()))),
  };
}
