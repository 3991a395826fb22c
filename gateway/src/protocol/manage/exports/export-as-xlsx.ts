/** An export as a spreadsheet. */
import { cellText } from '../../../foundation/text/csv.ts';
import { type SheetCell, type SheetRow, sheetRow, writeSpreadsheet } from '../../spreadsheets/write-spreadsheet.ts';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const AMOUNT = /^-?\d+\.\d+$/;

export const exportRow = (values: readonly unknown[]): SheetRow => sheetRow(values.map(cellOf));

export function writeExport(header: readonly string[], lines: readonly SheetRow[], list: string): Promise<Buffer> {
  const rows = [sheetRow(header.map((bold) => ({ bold }))), ...lines];
  return writeSpreadsheet({
    name: list,
    widths: header.map((name) => Math.max(14, name.length + 2)),
    stickyRows: 1,
    rows,
  });
}

function cellOf(value: unknown): SheetCell {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && TIME.test(value)) return { time: value };
  if (typeof value === 'string' && AMOUNT.test(value)) return { amount: value };
  return cellText(value);
}
