/** The thread that writes one spreadsheet. Every text is a cell of the type text, so no cell is a formula. */
import { parentPort, workerData } from 'node:worker_threads';
import writeXlsxFile, { type Cell } from 'write-excel-file/node';
import type { Sheet, SheetCell } from './write-spreadsheet.ts';

/** Spreadsheets hold numbers of 15 digits. A longer amount stays a string. */
const MOST_DIGITS = 15;

const { name, widths, stickyRows, rows } = workerData as Sheet;

function cellOf(cell: SheetCell): Cell {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return { value: cell, type: Number };
  if (typeof cell === 'string') return { value: cell, type: String };
  if ('bold' in cell) return { value: cell.bold, type: String, fontWeight: 'bold' };
  if ('time' in cell) return { value: new Date(cell.time), type: Date, format: 'yyyy-mm-dd hh:mm:ss' };
  if (cell.amount.replace(/\D/g, '').length > MOST_DIGITS) return { value: cell.amount, type: String };
  return { value: Number(cell.amount), type: Number, format: '#,##0.00' };
}

const cells = rows.map((row) => (JSON.parse(row) as SheetCell[]).map(cellOf));
const columns = widths.map((width) => ({ width }));
const archive = await writeXlsxFile(cells, { columns, sheet: name, stickyRowsCount: stickyRows }).toBuffer();
const file = new Uint8Array(archive);
parentPort?.postMessage(file, [file.buffer]);
