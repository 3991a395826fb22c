/**
 * Exports a filtered list: as CSV page by page, so that it is not held in memory, or as a smaller spreadsheet. The audit log
 * has an entry before the first row and one after the last. No page is read for a credential that has ended or lost its
 * permission.
 */
import { type ExportFormat, MOST_EXPORTED } from '../../../../contract/streams.ts';
import type { ActStore } from '../../../domain/audit/act-store.ts';
import type { Place } from '../../../domain/lists/list-store.ts';
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { Clock } from '../../../foundation/clock.ts';
import { cellText, csvLine } from '../../../foundation/text/csv.ts';
import type { SheetRow } from '../../spreadsheets/write-spreadsheet.ts';
import { CredentialEnded } from '../streams/file-stream-limits.ts';
import { createRecord } from '../streams/record-reading.ts';
import { maskFor } from '../views/mask.ts';
import { exportRow, writeExport } from './export-as-xlsx.ts';
import type { ExportSource } from './export-sources.ts';

interface ExportParts {
  readonly acts: Pick<ActStore, 'begin' | 'end'>;
  readonly clock: Clock;
}

interface ExportOrder {
  readonly list: string;
  readonly format: ExportFormat;
  readonly source: ExportSource;
  /** The filters as the caller wrote them, for the audit log. */
  readonly asked: unknown;
  readonly caller: Caller;
  /** Resolves to the caller of the same credential now, or undefined if the credential has ended. */
  readonly authenticate: () => Promise<Caller | undefined>;
  readonly requestId: string;
  readonly address: string;
}

const PAGE = 500;
/** The maximum number of pages that an export reads, with or without rows. */
const MOST_PAGES = 2_000;
const MORE = 'More rows follow: narrow the filters.';

/** Yields the file in chunks. Its last line states whether more rows follow. */
export async function* exportList(parts: ExportParts, order: ExportOrder): AsyncGenerator<string | Buffer> {
  const { list, format, source, caller, requestId, address } = order;
  const merchantId = source.merchantId ?? OPERATOR_MERCHANT;
  const reading = { act: `${list}.export`, object: `exports/${list}`, merchantId, caller, requestId, address };
  const record = createRecord(parts, reading);
  await record('begun', { filters: order.asked });
  let rows = 0;
  let isWhole = false;
  let isOver = false;
  let isAllowed = true;
  try {
    const lines: SheetRow[] = [];
    let header: readonly string[] | undefined;
    for await (const { records, isLast } of pagesOf(order)) {
      const isFirst = header === undefined;
      header ??= records[0] && Object.keys(records[0]);
      const page = records.map((record) => (header ?? []).map((name) => record[name]));
      rows += records.length;
      isWhole = isLast;
      if (format === 'xlsx') lines.push(...page.map(exportRow));
      else yield [...(isFirst && header ? [header] : []), ...page].map(csvText).join('');
    }
    if (format === 'xlsx') yield await writeExport(header ?? [], isWhole ? lines : [...lines, exportRow([MORE])], list);
    else if (!isWhole) yield csvText([MORE]);
    isOver = true;
    await record('done', { rows, isWhole });
  } catch (error) {
    isAllowed = !(error instanceof CredentialEnded);
    throw error;
  } finally {
    // After an error or a disconnect, the entry counts the rows that the caller has read.
    if (!isOver) await record(isAllowed ? 'failed' : 'rejected', { rows });
  }
}

async function* pagesOf({ format, source, authenticate }: ExportOrder) {
  let after: Place | null = null;
  let left: number = MOST_EXPORTED[format];
  for (let count = 0; count < MOST_PAGES && left > 0; count++) {
    const page = await source.readPage(after, Math.min(PAGE, left));
    const caller = await authenticate();
    if (!caller) throw new CredentialEnded('the credential of the export is no longer valid');
    const mask = maskFor(caller);
    const records = page.items.map((item) => source.view(item, mask));
    left -= records.length;
    after = page.next;
    yield { records, isLast: after === null };
    if (after === null) return;
  }
}

function csvText(cells: readonly unknown[]): string {
  return `${csvLine(cells.map(cellText))}\r\n`;
}
