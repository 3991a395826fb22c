/** A statement as a file, and the parameters of a request for it. */
import type { Result } from '../../foundation/result.ts';
import type { StatementFailure } from './compose-statement.ts';
import type { StatementOrder } from './statement.ts';
import type { StatementFormat } from './statement-seal.ts';

export interface StatementFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: AsyncIterable<Buffer>;
}

/** The limit of XLSX and PDF: a spreadsheet is built in memory, and a longer PDF is useless. CSV and JSON have no limit. */
export const MOST_LINES: Readonly<Record<StatementFormat, number>> = {
  json: Number.POSITIVE_INFINITY,
  csv: Number.POSITIVE_INFINITY,
  xlsx: 50_000,
  pdf: 20_000,
};

export type WriteStatement = (
  order: StatementOrder,
  format: StatementFormat,
) => Promise<Result<StatementFile, StatementFailure | 'too_many_lines'>>;
