/** CSV (RFC 4180) that spreadsheets show and never run. */
import { beginsFormula } from './spreadsheet-formula.ts';

/** One line without its end. An apostrophe turns a cell that a spreadsheet would run as a formula into text. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const safe = beginsFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A value of a record as a cell: nothing for null, JSON for an object. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
