/**
 * Writes a spreadsheet in a thread: tens of thousands of lines take seconds of computing, in which the process would serve no
 * request and send no payout. One spreadsheet at a time, so that exports take one core and the memory of one.
 */
import { Worker } from 'node:worker_threads';

/** A plain text or number, or a text with a meaning. An amount is a decimal, and a time is ISO 8601. */
export type SheetCell =
  | string
  | number
  | null
  | { readonly bold: string }
  | { readonly amount: string }
  | { readonly time: string };

/** A row as JSON. Each row is converted when it is read, because converting thousands in one step would block the process. */
export type SheetRow = string & { readonly of: 'a row' };

export const sheetRow = (cells: readonly SheetCell[]): SheetRow => JSON.stringify(cells) as SheetRow;

export interface Sheet {
  readonly name: string;
  readonly widths: readonly number[];
  readonly stickyRows: number;
  readonly rows: readonly SheetRow[];
}

/** Far more than the longest statement needs. */
const MEMORY_MB = 512;

let latest: Promise<unknown> = Promise.resolve();

export function writeSpreadsheet(sheet: Sheet): Promise<Buffer> {
  const written = latest.then(() => writeInThread(sheet));
  latest = written.catch(() => {});
  return written;
}

function writeInThread(sheet: Sheet): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('spreadsheet-thread.ts', import.meta.url), {
      workerData: sheet,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    thread.once('message', (file: Uint8Array) => resolve(Buffer.from(file.buffer)));
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the thread that writes a spreadsheet exited with ${code}`)));
  });
}
