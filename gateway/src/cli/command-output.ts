/** The output of commands: one JSON document, or aligned text for readers. Times are in UTC. */
import { formatUtc, type Instant } from '../foundation/clock.ts';
import { cellText, csvLine } from '../foundation/text/csv.ts';

export interface CommandOutput {
  /** The document that `--json` prints. Bigints become strings. */
  readonly json: unknown;
  /** The text for readers, without a final newline. */
  readonly human: string;
  /** The output of `--csv`. Defaults to the records in `json`, if it is a list. */
  readonly csv?: string;
  /** 1 if the command succeeded but found a problem, such as a broken invariant. Defaults to 0. */
  readonly exitCode?: 0 | 1;
}

/** A failure that the operator caused or can fix. The message is one sentence. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: 1 | 2;

  /** `exitCode` is 1 for a rejection or a failure, and 2 for a usage error or an invalid configuration. */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the message about an unreadable file, with the reason, such as ENOENT. */
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

/** Formats a time for readers. Returns a dash for null. */
export function humanTime(instant: Instant | null): string {
  return instant === null ? '–' : formatUtc(instant);
}

/** Formats a timestamp of the management API for display. Returns a dash if it is null. */
export function humanIsoTime(time: string | null): string {
  return humanTime(time === null ? null : Date.parse(time));
}

/** Formats a time for scripts, as ISO 8601 in UTC. */
export function jsonTime(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

export function tick(isGood: boolean): string {
  return isGood ? '✓' : '✗';
}

/** Formats columns as wide as their widest cell. `empty` replaces a table without rows. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  return alignColumns([header, ...rows]);
}

export function formatCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map(csvLine).join('\r\n');
}

/** Formats records with the same fields as CSV with a header. Without records, the result is empty. */
export function formatRecords(records: readonly Readonly<Record<string, unknown>>[]): string {
  const header = Object.keys(records[0] ?? {});
  return header.length === 0
    ? ''
    : formatCsv(
        header,
        records.map((record) => header.map((name) => cellText(record[name]))),
      );
}

/** Formats lines of `name  value`, omitting entries without a value. */
export function formatFacts(facts: readonly (readonly [name: string, value: string | null])[]): string {
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  return alignColumns(shown);
}

/** Returns a heading with its lines below it. */
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

/** Replaces control characters in external text (responses, reasons), which a terminal would interpret. Keeps newlines. */
export function forTerminal(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}

/** Puts external text on one line and removes control characters. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
