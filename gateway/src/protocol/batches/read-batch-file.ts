/**
 * Reads a file of payouts: CSV in UTF-8, with `,`, `;` or tabs, whose header contains the API's names. It reads the file as a
 * stream of rows. No fault quotes the file, because any cell may contain a card number.
 */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import {
  type FileRow,
  LARGEST_FILE_BYTES,
  LONGEST_CELL,
  MOST_ROWS,
  type RowReason,
} from '../../domain/batches/batch.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { PAYOUT_METHODS } from '../payout/method-table.ts';

/** The names that a header may have. */
const COLUMNS: ReadonlySet<string> = new Set([
  'payout_id',
  'method',
  ...PAYOUT_METHODS.flatMap(({ fields }) => fields.map(({ name }) => name)),
]);
const MANDATORY = ['method', 'account', 'amount', 'currency'] as const;
const DELIMITERS = [',', ';', '\t'] as const;

/** Fails with a sentence about the entire file. */
export async function readBatchFile(file: Buffer): Promise<Result<readonly FileRow[], string>> {
  if (file.length > LARGEST_FILE_BYTES) return fail(`The file is larger than ${LARGEST_FILE_BYTES} bytes: split it.`);
  const text = decode(file);
  if (text === undefined) return fail('The file is not UTF-8: save it as "CSV UTF-8".');
  if (text.includes('\0')) return fail('The file has a NUL character, so it is not a CSV file.');
  const parser = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: delimiterOf(text),
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 64 * 1024,
    }),
  );
  try {
    return await readRecords(parser as AsyncIterable<ParsedRecord>);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line: unknown = error['lines'];
    return fail(`The file is not valid CSV near line ${Number(line) || 1}: a quote is open, or a row is too long.`);
  }
}

/** The parser's option `info`. `lines` is the line on which the record ends. */
interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function readRecords(parser: AsyncIterable<ParsedRecord>): Promise<Result<readonly FileRow[], string>> {
  const rows: FileRow[] = [];
  let header: Result<readonly string[], string> | undefined;
  for await (const { record, info } of parser) {
    const cells = record.map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) continue;
    if (!header) {
      header = readHeader(cells);
      if (!header.ok) return header;
      continue;
    }
    if (rows.length === MOST_ROWS) return fail(`The file has more than ${MOST_ROWS} rows: split it.`);
    const names = header.ok ? header.value : [];
    if (isHeaderAgain(cells, names)) return fail(`Line ${info.lines} repeats the header: remove it.`);
    rows.push(readRow(cells, names, info.lines));
  }
  if (!header) return fail('The file is empty.');
  return rows.length === 0 ? fail('The file has a header and no rows.') : ok(rows);
}

function readHeader(cells: readonly string[]): Result<readonly string[], string> {
  const names = cells.map((cell) => cell.toLowerCase());
  const unknown = names.findIndex((name) => !COLUMNS.has(name));
  if (unknown >= 0) return fail(`Column ${unknown + 1} has an unknown name. The first line must name the columns.`);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice >= 0) return fail(`Column ${twice + 1} repeats the name ${names[twice]}.`);
  const missing = MANDATORY.find((name) => !names.includes(name));
  return missing === undefined ? ok(names) : fail(`The column ${missing} is missing.`);
}

function isHeaderAgain(cells: readonly string[], names: readonly string[]): boolean {
  return cells.length === names.length && cells.every((cell, at) => cell.toLowerCase() === names[at]);
}

function readRow(cells: readonly string[], names: readonly string[], line: number): FileRow {
  const isLong = cells.some((cell) => cell.length > LONGEST_CELL);
  const fault: RowReason | null =
    cells.length > names.length
      ? ['too_many_cells', String(cells.length), String(names.length)]
      : isLong
        ? ['long_cell', String(LONGEST_CELL)]
        : null;
  const kept = fault === null ? cells : [];
  const entries = names.map((name, at) => [name, kept[at] ?? ''] as const).filter(([, cell]) => cell !== '');
  return { line, cells: Object.fromEntries(entries), fault };
}

function decode(file: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    return undefined;
  }
}

/** Returns the delimiter that the first line has most often. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r|\n/, 1);
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const PIECE = 16 * 1024;

/** The parser yields to other work between two parts. */
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}
