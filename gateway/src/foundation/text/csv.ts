/** CSV (RFC 4180) that spreadsheets show and never run. */
import { asText } from './spreadsheet-formula.ts';

/** Returns one line without its line break. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

/** An apostrophe makes a spreadsheet show a formula as text. */
export function csvCell(text: string): string {
  const safe = asText(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a value of a record as a cell: empty for null, JSON for an object. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
