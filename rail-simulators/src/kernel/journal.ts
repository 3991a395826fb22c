/**
 * A simulator's book on disk: one JSON line per entry, appended in batches, read back at the start. An entry counts as
 * written when the operating system has it: it survives the end of the process, not a power cut, since no line is
 * forced to the disk (a simulator must not compete with the gateway's database for it).
 */
import { appendFile, closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupFault } from '../startup-fault.ts';

export interface Journal<Entry> {
  /** Resolves once the entry is written; rejects with BookFailure when it can't be, and then for every later one too. */
  append(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

/** Every entry of a book has its place, from 1 without gaps. */
export interface Placed {
  readonly seq: number;
}

/** What the book says of itself, and how it is called in a sentence. */
export interface BookTitle {
  /** For example `STP's book`. */
  readonly name: string;
  /** The first key of the first line. */
  readonly mark: string;
  /** Says what the file is to anybody who finds it. */
  readonly notice: string;
}

/** The book on disk can't be written any more. */
export class BookFailure extends Error {}

const written = Promise.resolve();

/** The journal of a book that lives in memory only. */
const noJournal: Journal<unknown> = { append: () => written, close: () => written };

const chunkBytes = 1 << 20;

/** Opens (or makes) the book at `path` and hands every entry found in it to `replay`, oldest first; none without a path. */
export function openJournal<Entry extends Placed>(
  path: string | undefined,
  title: BookTitle,
  replay: (entry: Entry) => void,
): Journal<Entry> {
  if (path === undefined) return noJournal;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a+');
    const wholeBytes = readLines(file, (line, number) => {
      const entry = readLine(line, number, title, path);
      if (entry !== undefined) replay(entry as Entry);
    });
    // A line without its end was being written when the process died, so it was never answered for: it goes.
    if (fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
    if (wholeBytes === 0) writeSync(file, `${JSON.stringify({ [title.mark]: 1, notice: title.notice })}\n`);
    return new FileJournal(file);
  } catch (error) {
    if (error instanceof StartupFault || !(error instanceof Error && 'code' in error)) throw error;
    throw new StartupFault(`${title.name} ${path} can't be opened: ${error.message}.`);
  }
}

/** The entry of that line; undefined for the heading. */
function readLine(line: string, number: number, { mark, name }: BookTitle, path: string): unknown {
  const value = parseLine(line);
  const isKnown = number === 0 ? value?.[mark] === 1 : value?.['seq'] === number;
  if (!isKnown) throw new StartupFault(`${name} ${path} is damaged at line ${number + 1}; move it away.`);
  return number === 0 ? undefined : value;
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
export class FileJournal<Entry> implements Journal<Entry> {
  readonly #file: number;
  #waiting = '';
  /** The batch that still collects entries, written after the one under way. */
  #next: Promise<void> | undefined;
  #underWay: Promise<void> = written;

  constructor(file: number) {
    this.#file = file;
  }

  append(entry: Entry): Promise<void> {
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
