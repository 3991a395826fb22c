/** A statement as CSV (RFC 4180): the opening balance, the lines, the closing balance. */
import type { Statement } from '../../domain/statements/compose-statement.ts';
import { csvCell } from '../../foundation/text/csv.ts';
import { viewHead, viewLine } from './statement-content.ts';

const HEADER = 'row,at,kind,description,amount,balance,currency,payout_id,order_id,transaction_id,reference';
/** Lines are joined, because a chunk per line would cost more than its content. */
const PIECE_BYTES = 64 * 1_024;

export async function* writeCsv({ head, lines }: Statement): AsyncIterable<Buffer> {
  const { currency, from, until, opening, closing } = viewHead(head);
  const edge = (row: string, at: string, balance: string) => `${row},${at},,,,${balance},${currency},,,,\r\n`;
  let text = `${HEADER}\r\n${edge('opening', from, opening.total)}`;
  for await (const each of lines()) {
    const line = viewLine(head.currency, each);
    const words = [line.payoutId, line.orderId, line.transactionId, line.reference].map((word) =>
      csvCell(String(word ?? '')),
    );
    const { at, kind, description, amount, balance } = line;
    text += `line,${at},${kind},${csvCell(description)},${amount},${balance},${currency},${words.join(',')}\r\n`;
    if (text.length > PIECE_BYTES) {
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text + edge('closing', until, closing.total));
}
