/** The content of a statement as JSON, piece by piece. Its hash is the same in every format of the statement. */
import type { StatementLine as LineView, Statement as StatementView } from '../../../contract/endpoints/statements.ts';
import { LINE_TEXTS } from '../../../contract/texts/statement-lines.ts';
import type { Statement } from '../../domain/statements/compose-statement.ts';
import {
  type StatementBalance,
  type StatementHead,
  type StatementLine,
  totalOf,
} from '../../domain/statements/statement.ts';
import type { StatementFormat, StatementManifest } from '../../domain/statements/statement-seal.ts';
import type { Currency } from '../../foundation/currency.ts';
import { formatAmount } from '../../foundation/money.ts';

export type HeadView = Omit<StatementView, 'lines'>;

const timeText = (instant: number) => new Date(instant).toISOString();

export function viewHead({ merchantId, currency, from, until, ...head }: StatementHead): HeadView {
  return {
    merchantId,
    currency,
    from: timeText(from),
    until: timeText(until),
    isFinal: head.isFinal,
    opening: viewBalance(currency, head.opening),
    closing: viewBalance(currency, head.closing),
    lineCount: head.lines,
    totals: head.totals.map(({ kind, lines, amount }) => ({
      kind,
      description: LINE_TEXTS[kind],
      lines,
      amount: formatAmount({ currency, minor: amount }),
    })),
  };
}

function viewBalance(currency: Currency, balance: StatementBalance) {
  const text = (minor: bigint) => formatAmount({ currency, minor });
  const { available, reserved, owed } = balance;
  return { available: text(available), reserved: text(reserved), owed: text(-owed), total: text(totalOf(balance)) };
}

export function viewLine(currency: Currency, line: StatementLine): LineView {
  const { postedAt, kind, amount, balance, payoutId, orderId, transactionId, journalId } = line;
  return {
    at: timeText(postedAt),
    kind,
    description: LINE_TEXTS[kind],
    amount: formatAmount({ currency, minor: amount }),
    balance: formatAmount({ currency, minor: balance }),
    payoutId,
    orderId,
    transactionId,
    reference: journalId,
  };
}

export function beginOf(head: StatementHead): string {
  return `${JSON.stringify(viewHead(head)).slice(0, -1)},"lines":[`;
}

/** Yields the text of the content in chunks. Joined, it is the result of JSON.stringify for the statement. */
export async function* contentOf({ head, lines }: Statement): AsyncIterable<string> {
  yield beginOf(head);
  let separator = '';
  for await (const line of lines()) {
    yield separator + JSON.stringify(viewLine(head.currency, line));
    separator = ',';
  }
  yield ']}';
}

export function manifestOf(
  head: StatementHead,
  format: StatementFormat,
  contentSha256: string,
  fileSha256: string | null,
): StatementManifest {
  const { merchantId, currency, from, until, opening, closing, lineCount } = viewHead(head);
  const [first, last] = [opening.total, closing.total];
  return {
    merchantId,
    currency,
    from,
    until,
    opening: first,
    closing: last,
    lines: lineCount,
    format,
    contentSha256,
    fileSha256,
  };
}
