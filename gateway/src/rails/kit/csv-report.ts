/** Parses a provider's CSV report: a header, and one record per further line. Pure. */
import { parse } from 'csv-parse/sync';
import { fail, ok, type Result } from '../../foundation/result.ts';

/** Fails if the string is not CSV, or lacks one of the columns. A report may have more columns. */
export function readReport<Column extends string>(
  text: string | Buffer,
  columns: readonly Column[],
): Result<readonly Readonly<Record<Column, string>>[], string> {
  const rows = rowsOf(text);
  const [header, ...records] = rows ?? [];
  if (!header) return fail('the report is not CSV');
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) return fail(`the report has no column ${missing.join(', ')}`);
  const places = columns.map((column) => [column, header.indexOf(column)] as const);
  return ok(
    records.map(
      (record) =>
        Object.fromEntries(places.map(([column, place]) => [column, record[place] ?? ''])) as Record<Column, string>,
    ),
  );
}

function rowsOf(text: string | Buffer): readonly (readonly string[])[] | undefined {
  try {
    return parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch {
    return undefined;
  }
}
