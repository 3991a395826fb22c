/**
 * A simulator's book on disk: one JSON line per entry, appended in batches and read at startup. An entry counts as written
 * when the operating system has the bytes. It survives the end of the process but not a power cut, because writing does not
 * call fsync: a simulator must not compete with the gateway's database for the disk.
 */
import { appendFile, closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupFault } from '../startup-fault.ts';

export interface BookFile<Entry> {
  /** Resolves once the entry is written. Rejects with BookFailure if writing fails, and then for every later entry too. */
  append(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

/** The position of an entry: 1, 2, 3, … without gaps. */
export interface Placed {
  readonly seq: number;
}

/** The header of a book's file, and the book's name for messages. */
interface BookTitle {
  /** The name, for example `STP's book`. */
  readonly name: string;
  /** The first key of the first line. */
  readonly mark: string;
  /** A text that explains the file to a reader. */
  readonly notice: string;
}

/** Thrown when the book on disk can no longer be written. */
export class BookFailure extends Error {}

const WRITTEN = Promise.resolve();

/** The file of a book that exists only in memory. */
const NO_FILE: BookFile<unknown> = { append: () => WRITTEN, close: () => WRITTEN };

const CHUNK_BYTES = 1 << 20;

/** Opens or creates the book at `path`, and passes every entry to `replay`, oldest first. Without a path there is no file. */
export function openBookFile<Entry extends Placed>(
  path: string | undefined,
  title: BookTitle,
  replay: (entry: Entry) => void,
): BookFile<Entry> {
  if (path === undefined) return NO_FILE;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a+');
    const wholeBytes = readLines(file, (line, number) => {
      const entry = readLine(line, number, title, path);
      if (entry !== undefined) replay(entry as Entry);
    });
    // A line without a newline was incomplete when the process died. Its request never got a response, so the line is removed.
    if (fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
    if (wholeBytes === 0) writeSync(file, `${JSON.stringify({ [title.mark]: 1, notice: title.notice })}\n`);
    return new OpenBookFile(file);
  } catch (error) {
    if (error instanceof StartupFault || !(error instanceof Error && 'code' in error)) throw error;
    throw new StartupFault(`${title.name} ${path} cannot be opened: ${error.message}.`);
  }
}

/** Returns the entry in that line, or undefined for the header. */
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

/** Calls `receive` for each complete line. Returns the number of bytes in complete lines. */
function readLines(file: number, receive: (line: string, number: number) => void): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let wholeBytes = 0;
  let number = 0;
  for (let read = readSync(file, chunk, 0, CHUNK_BYTES, 0); read > 0; ) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      receive(bytes.toString('utf8', start, end), number++);
      start = end + 1;
    }
    wholeBytes += start;
    rest = bytes.subarray(start);
    read = readSync(file, chunk, 0, CHUNK_BYTES, wholeBytes + rest.length);
  }
  return wholeBytes;
}

/** Exported for its test; servers use openBookFile. It owns the file descriptor. */
export class OpenBookFile<Entry> implements BookFile<Entry> {
  readonly #file: number;
  #waiting = '';
  /** The batch that is still collecting entries. It is written after the current batch. */
  #next: Promise<void> | undefined;
  #inFlight: Promise<void> = WRITTEN;

  constructor(file: number) {
    this.#file = file;
  }

  append(entry: Entry): Promise<void> {
    this.#waiting += `${JSON.stringify(entry)}\n`;
    // After a failure the file may end in a partial line, so no entry may follow it: #inFlight stays rejected.
    this.#next ??= this.#inFlight.then(() => this.#write());
    return this.#next;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#inFlight).catch(() => undefined);
    closeSync(this.#file);
  }

  #write(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = '';
    this.#inFlight = new Promise((resolve, reject) => {
      appendFile(this.#file, batch, (error) => (error === null ? resolve() : reject(new BookFailure(error.message))));
    });
    this.#next = undefined;
    return this.#inFlight;
  }
}
