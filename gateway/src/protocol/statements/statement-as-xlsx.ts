/** A statement as a spreadsheet. */
import type { Statement } from '../../domain/statements/compose-statement.ts';
import { type SheetCell, sheetRow, writeSpreadsheet } from '../spreadsheets/write-spreadsheet.ts';
import { viewHead, viewLine } from './statement-content.ts';

const bold = (text: string): SheetCell => ({ bold: text });
const time = (value: string): SheetCell => ({ time: value });
const amount = (value: string): SheetCell => ({ amount: value });

const WIDTHS = [22, 30, 16, 16, 28, 28, 16, 48];

export async function* writeXlsx({ head, lines }: Statement): AsyncIterable<Buffer> {
  const { merchantId, currency, from, until, opening, closing, totals } = viewHead(head);
  const rows = [
    [bold(`Statement of ${merchantId}, ${currency}`)],
    ['From (UTC)', time(from), 'until', time(until)],
    ['Opening balance', null, null, amount(opening.total)],
    ...totals.map((each) => [each.description, `${each.lines} lines`, amount(each.amount)]),
    ['Closing balance', null, null, amount(closing.total)],
    [],
    ['Time (UTC)', 'Description', 'Amount', 'Balance', 'Payout', 'Order', 'Transaction', 'Reference'].map(bold),
  ].map(sheetRow);
  for await (const each of lines()) {
    const line = viewLine(head.currency, each);
    const transaction = line.transactionId === null ? null : String(line.transactionId);
    rows.push(
      sheetRow([
        time(line.at),
        line.description,
        amount(line.amount),
        amount(line.balance),
        line.payoutId,
        line.orderId,
        transaction,
        line.reference,
      ]),
    );
  }
  yield writeSpreadsheet({ name: 'Statement', widths: WIDTHS, stickyRows: 0, rows });
}
