/** The handlers of the endpoints that answer with a stream. Each gives a problem, or takes the answer over. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportFormat, SPREADSHEET, STREAMS } from '../../../contract/streams.ts';
import type { ActStore } from '../../domain/audit/act-store.ts';
import type { EventStore } from '../../domain/events/event-store.ts';
import type { ListName, ListStore } from '../../domain/lists/list-store.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { Clock } from '../../foundation/clock.ts';
import { createEventStreams } from './event-stream.ts';
import { exportList } from './exports/export-list.ts';
import { type AnyListQuery, readListQuery } from './list-query.ts';
import type { ManageProblem } from './problems.ts';
import { readStart } from './read-events.ts';
import { createOpenFiles, type OpenFiles, TOO_MANY_FILES } from './while-allowed.ts';

interface StreamRequest {
  readonly query: AnyListQuery;
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The caller of the same credential now; undefined: it has ended. */
  readonly authenticate: () => Promise<Caller | undefined>;
}

type StreamHandler = (asked: StreamRequest) => Promise<ManageProblem | undefined>;

export interface StreamHandlers {
  readonly handlers: ReadonlyMap<string, StreamHandler>;
  readonly files: OpenFiles;
  /** Ends the streams that would never end by themselves. */
  readonly close: () => void;
}

interface StreamHandlerParts {
  readonly lists: ListStore;
  readonly events: EventStore;
  readonly acts: Pick<ActStore, 'begin' | 'end'>;
  readonly clock: Clock;
  readonly onInternalError: (error: unknown, route: string) => void;
}

export function createStreamHandlers(parts: StreamHandlerParts): StreamHandlers {
  const streams = createEventStreams({
    ...{ events: parts.events, clock: parts.clock },
    onFailed: (error) => parts.onInternalError(error, 'events.stream'),
  });
  const names = Object.keys(STREAMS).filter((name) => name.endsWith('.export'));
  const files = createOpenFiles();
  return {
    handlers: new Map<string, StreamHandler>([
      ...names.map((name) => [name, createExport(parts, files, name.replace('.export', '') as ListName)] as const),
      ['events.stream', (asked: StreamRequest) => followEvents(parts, streams, asked)],
    ]),
    files,
    close: streams.close,
  };
}

async function followEvents(
  { events }: StreamHandlerParts,
  streams: ReturnType<typeof createEventStreams>,
  { query, caller, request, reply, authenticate }: StreamRequest,
): Promise<ManageProblem | undefined> {
  if (streams.isFull(caller))
    return { code: 'too-many-requests', detail: 'Too many streams are open: end one, or poll /manage/v1/events.' };
  const last = request.headers['last-event-id'];
  const start = await readStart(events, typeof last === 'string' ? last : String(query['after'] ?? 'now'));
  if (!start.ok) return start.error;
  reply.hijack();
  const merchantId = query['merchantId'] === undefined ? null : String(query['merchantId']);
  void streams.serve(reply.raw, { caller, merchantId, after: start.value, authenticate });
  return undefined;
}

function createExport(parts: StreamHandlerParts, files: OpenFiles, list: ListName): StreamHandler {
  return async ({ query, caller, request, reply, authenticate }) => {
    const { format: asked = 'csv', ...filters } = query;
    const format = asked as ExportFormat;
    const wanted = readListQuery(list, filters, caller);
    if (!wanted.ok) return wanted.error;
    const asker = { caller, authenticate, requestId: request.id, address: request.ip };
    const order = { list, format, query: wanted.value, asked: query, ...asker };
    const file = Readable.from(exportList(parts, order), { objectMode: false });
    if (!files.admit(caller, file)) return TOO_MANY_FILES;
    reply
      .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : SPREADSHEET)
      .header('content-disposition', `attachment; filename="${list}.${format}"`)
      .send(file);
    return undefined;
  };
}
