/** The endpoints that answer with a stream instead of one JSON document. */
import { type TObject, Type } from 'typebox';
import { AUDIT_FILTERS } from './endpoints/audit.ts';
import { EVENT_STREAM } from './endpoints/events.ts';
import { LIST_ENDPOINTS, LIST_FILTERS, type ListName } from './endpoints/lists.ts';
import { MerchantId, NO_PARAMS } from './parts/answer-parts.ts';
import type { Endpoint } from './parts/endpoint.ts';
import type { Permission } from './permissions.ts';

export interface StreamEndpoint extends Endpoint {
  readonly media: 'text/event-stream' | 'text/csv';
}

/** The maximum number of rows of an export. A spreadsheet is held in memory, so it takes fewer. */
export const MOST_EXPORTED = { csv: 100_000, xlsx: 10_000 } as const;
export type ExportFormat = keyof typeof MOST_EXPORTED;
export const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const EXPORT_ENDPOINTS = Object.fromEntries([
  ...(Object.keys(LIST_FILTERS) as ListName[]).map((list) => [
    `${list}.export`,
    exportOf(list, LIST_FILTERS[list], LIST_ENDPOINTS[`${list}.list`].permission),
  ]),
  ['audit.export', exportOf('audit', AUDIT_FILTERS, 'audit:read')],
]) as Record<string, StreamEndpoint>;

/** The audit log has an entry of each export. */
function exportOf(list: string, filters: TObject['properties'], permission: Permission): StreamEndpoint {
  const format = Type.Optional(Type.Enum(['csv', 'xlsx'], { default: 'csv' }));
  const properties = { ...filters, merchantId: Type.Optional(MerchantId), format };
  return {
    method: 'GET',
    path: `/exports/${list}`,
    summary: `Export the filtered list of ${list} as CSV or as a spreadsheet, newest first, ${MOST_EXPORTED.csv} or ${MOST_EXPORTED.xlsx} rows at most; the audit log records it`,
    permission,
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(properties, { additionalProperties: false }),
    answer: Type.String(),
    media: 'text/csv',
    files: [SPREADSHEET],
  };
}

export const STREAMS: Readonly<Record<string, StreamEndpoint>> = { 'events.stream': EVENT_STREAM, ...EXPORT_ENDPOINTS };
