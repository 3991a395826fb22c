/** A statement as a spreadsheet. Every text is a cell of the type text, so no cell is a formula. */
import type { Cell, Row } from 'write-excel-file/node';
import type { Statement } from '../../domain/statements/compose-statement.ts';
import { viewHead, viewLine } from './statement-content.ts';

const bold = (value: string): Cell => ({ value, type: String, fontWeight: 'bold' });
const text = (value: string | null): Cell => (value === null ? null : { value, type: String });
const time = (value: string): Cell => ({ value: new Date(value), type: Date, format: 'yyyy-mm-dd hh:mm:ss' });

/** Spreadsheets hold numbers of 15 digits. A longer amount stays a text. */
function amount(value: string): Cell {
  const digits = value.replace(/\D/g, '').length;
  return digits > 15 ? text(value) : { value: Number(value), type: Number, format: '#,##0.00' };
}

const WIDTHS = [22, 30, 16, 16, 28, 28, 16, 48];

export async function* writeXlsx({ head, lines }: Statement): AsyncIterable<Buffer> {
  const { merchantId, currency, from, until, opening, closing, totals } = viewHead(head);
  const rows: Row[] = [
    [bold(`Statement of ${merchantId}, ${currency}`)],
    [text('From (UTC)'), time(from), text('until'), time(until)],
    [text('Opening balance'), null, null, amount(opening.total)],
    ...totals.map((each): Row => [text(each.description), text(`${each.lines} lines`), amount(each.amount)]),
    [text('Closing balance'), null, null, amount(closing.total)],
    [],
    ['Time (UTC)', 'Description', 'Amount', 'Balance', 'Payout', 'Order', 'Transaction', 'Reference'].map(bold),
  ];
  for await (const each of lines()) {
    const line = viewLine(head.currency, each);
    rows.push([
      ...[time(line.at), text(line.description), amount(line.amount), amount(line.balance)],
      ...[text(line.payoutId), text(line.orderId)],
      ...[text(line.transactionId === null ? null : String(line.transactionId)), text(line.reference)],
    ]);
  }
  const columns = WIDTHS.map((width) => ({ width }));
  // Loaded at the first spreadsheet, for no other process needs it.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const archive = await writeXlsxFile(rows, { columns, sheet: 'Statement' }).toBuffer();
  // An own buffer, because the end of the last piece is written again.
  yield Buffer.from(archive);
}
