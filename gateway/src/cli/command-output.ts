/** The output of commands: one JSON document, or aligned text for humans. Times are UTC. */
import { formatUtc, type Instant } from '../foundation/clock.ts';
import { cellText, csvLine } from '../foundation/text/csv.ts';

export interface CommandOutput {
  /** The document that `--json` prints. Bigints become text. */
  readonly json: unknown;
  /** The text for humans, without a final line break. */
  readonly human: string;
  /** The text of `--csv`; by default the records of `json`, if that is a list. */
  readonly csv?: string;
  /** 1 when the command worked and found a problem, such as a broken invariant. Default 0. */
  readonly exitCode?: 0 | 1;
}

/** A failure that the operator caused or can fix. The message is one sentence. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: 1 | 2;

  /** `exitCode` is 1 for a rejection or a failure, and 2 for a command that was not understood or a wrong configuration. */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the message about a file that cannot be read, with the reason, such as ENOENT. */
export function unreadableText(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `Cannot read ${path}: ${typeof code === 'string' ? code : message}.`;
}

/** Escapes the characters that a terminal would interpret, in addition to those that JSON forbids. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? part.toString() : part), 2);
  return text.replace(/[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns a time for humans, or a dash. */
export function humanTime(instant: Instant | null): string {
  return instant === null ? '–' : formatUtc(instant);
}

/** Formats a timestamp of the management API for display. Returns a dash if it is null. */
export function humanIsoTime(time: string | null): string {
  return humanTime(time === null ? null : Date.parse(time));
}

/** Returns a time for scripts: ISO 8601, UTC. */
export function jsonTime(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

export function tick(isGood: boolean): string {
  return isGood ? '✓' : '✗';
}

/** Columns as wide as their widest cell. `empty` replaces a table without rows. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  return alignColumns([header, ...rows]);
}

export function formatCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map(csvLine).join('\r\n');
}

/** Writes records with the same fields as CSV, with a header. Without records it does not write anything. */
export function formatRecords(records: readonly Readonly<Record<string, unknown>>[]): string {
  const header = Object.keys(records[0] ?? {});
  return header.length === 0
    ? ''
    : formatCsv(
        header,
        records.map((record) => header.map((name) => cellText(record[name]))),
      );
}

/** Lines of `name  value`, without the entries that have no value. */
export function formatFacts(facts: readonly (readonly [name: string, value: string | null])[]): string {
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  return alignColumns(shown);
}

/** Returns a heading with its lines below. */
export function formatSection(heading: string, body: string): string {
  return `${heading}\n${indent(body)}`;
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const printable = rows.map((row) => row.map(onOneLine));
  const widths: number[] = [];
  for (const row of printable) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const format = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return printable.map((row) => format(row).trimEnd()).join('\n');
}

/** Replaces control characters in text from outside (responses, reasons), which a terminal would interpret. Keeps line breaks. */
export function forTerminal(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}

/** Keeps text from outside on one line, without control characters for the terminal. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
