/** An export as a spreadsheet. Every text is a cell of the type text, so no cell is a formula. */
import type { Cell } from 'write-excel-file/node';
import { cellText } from '../../../foundation/csv.ts';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const AMOUNT = /^-?\d+\.\d+$/;
/** Spreadsheets hold numbers of 15 digits. */
const MOST_DIGITS = 15;

export async function writeSpreadsheet(
  header: readonly string[],
  lines: readonly (readonly unknown[])[],
  list: string,
): Promise<Buffer> {
  const head = header.map((value): Cell => ({ value, type: String, fontWeight: 'bold' }));
  const rows = [head, ...lines.map((line) => line.map(cellOf))];
  const columns = header.map((name) => ({ width: Math.max(14, name.length + 2) }));
  // Loaded at the first spreadsheet, for no other process needs it.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return Buffer.from(await writeXlsxFile(rows, { columns, sheet: list, stickyRowsCount: 1 }).toBuffer());
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return { value, type: Number };
  if (typeof value === 'string' && TIME.test(value))
    return { value: new Date(value), type: Date, format: 'yyyy-mm-dd hh:mm:ss' };
  if (typeof value === 'string' && AMOUNT.test(value) && value.replace(/\D/g, '').length <= MOST_DIGITS)
    return { value: Number(value), type: Number, format: '#,##0.00' };
  return { value: cellText(value), type: String };
}
