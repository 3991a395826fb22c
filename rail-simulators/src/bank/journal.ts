/**
 * The bank's book on disk: one JSON line per entry, appended in batches, read back at the start. An entry counts as
 * written when the operating system has it: it survives the end of the process, not a power cut, since no line is
 * forced to the disk (a stand-in must not compete with the gateway's database for it).
 */
import { appendFile, closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupFault } from '../startup-fault.ts';
import type { BookEntry } from './book.ts';

export interface Journal {
  /** Resolves once the entry is written; rejects with BookFailure when it can't be, and then for every later one too. */
  append(entry: BookEntry): Promise<void>;
  close(): Promise<void>;
}

/** The book on disk can't be written any more. */
export class BookFailure extends Error {}

const written = Promise.resolve();

/** The journal of a book that lives in memory only. */
export const noJournal: Journal = { append: () => written, close: () => written };

// The first line says what the file is to anybody who finds it.
const heading = { stand_in_bank_book: 1, notice: 'A stand-in bank for development: no money moved.' };
const chunkBytes = 1 << 20;

/** Opens (or makes) the book at `path` and hands every entry found in it to `replay`, oldest first. */
export function openJournal(path: string, replay: (entry: BookEntry) => void): Journal {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a+');
    const wholeBytes = readLines(file, (line, number) => replayLine(path, line, number, replay));
    // A line without its end was being written when the process died, so it was never answered for: it goes.
    if (fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
    if (wholeBytes === 0) writeSync(file, `${JSON.stringify(heading)}\n`);
    return new FileJournal(file);
  } catch (error) {
    if (error instanceof StartupFault || !(error instanceof Error && 'code' in error)) throw error;
    throw new StartupFault(`The stand-in bank's book ${path} can't be opened: ${error.message}.`);
  }
}

function replayLine(path: string, line: string, number: number, replay: (entry: BookEntry) => void): void {
  const value = parseLine(line);
  const known = number === 0 ? value?.['stand_in_bank_book'] === 1 : value?.['seq'] === number;
  if (!known) {
    throw new StartupFault(`The stand-in bank's book ${path} is damaged at line ${number + 1}; move it away.`);
  }
  if (number > 0) replay(value as unknown as BookEntry);
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Calls `take` for each whole line and returns how many bytes the whole lines fill. */
function readLines(file: number, take: (line: string, number: number) => void): number {
  const chunk = Buffer.alloc(chunkBytes);
  let rest: Buffer = Buffer.alloc(0);
  let wholeBytes = 0;
  let number = 0;
  for (let read = readSync(file, chunk, 0, chunkBytes, 0); read > 0; ) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      take(bytes.toString('utf8', start, end), number++);
      start = end + 1;
    }
    wholeBytes += start;
    rest = bytes.subarray(start);
    read = readSync(file, chunk, 0, chunkBytes, wholeBytes + rest.length);
  }
  return wholeBytes;
}

/** Exported for its test; servers use openJournal. Owns the file from here on. */
export class FileJournal implements Journal {
  readonly #file: number;
  #waiting = '';
  /** The batch that still collects entries, written after the one under way. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = written;

  constructor(file: number) {
    this.#file = file;
  }

  append(entry: BookEntry): Promise<void> {
    this.#waiting += `${JSON.stringify(entry)}\n`;
    // After a failure the file may end in half a line, so nothing may follow it: #underWay stays rejected for good.
    this.#next ??= this.#underWay.then(() => this.#write());
    return this.#next;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#underWay).catch(() => undefined);
    closeSync(this.#file);
  }

  #write(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = '';
    this.#underWay = new Promise((resolve, reject) => {
      appendFile(this.#file, batch, (error) => (error === null ? resolve() : reject(new BookFailure(error.message))));
    });
    this.#next = undefined;
    return this.#underWay;
  }
}
