/** The handlers of the endpoints that respond with a stream. Each returns a problem, or takes over the response. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportFormat, SPREADSHEET, STREAMS } from '../../../contract/streams.ts';
import type { ActStore } from '../../domain/audit/act-store.ts';
import type { ActorNames } from '../../domain/audit/actor.ts';
import type { EventStore } from '../../domain/events/event-store.ts';
import type { ListName, ListStore } from '../../domain/lists/list-store.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { Clock } from '../../foundation/clock.ts';
import { exportList } from './exports/export-list.ts';
import { auditSource, listSource } from './exports/export-sources.ts';
import type { AnyListQuery } from './lists/list-query.ts';
import type { ManageProblem } from './problems.ts';
import { createEventStreams } from './streams/event-stream.ts';
import { createOpenFiles, type OpenFiles, TOO_MANY_FILES } from './streams/file-stream-limits.ts';
import { readStart } from './streams/read-events.ts';

interface StreamRequest {
  readonly query: AnyListQuery;
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Resolves to the caller of the same credential now, or undefined if the credential has ended. */
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
  readonly actorNames: ActorNames;
  readonly acts: Pick<ActStore, 'begin' | 'end' | 'list'>;
  readonly clock: Clock;
  readonly onInternalError: (error: unknown, route: string) => void;
}

export function createStreamHandlers(parts: StreamHandlerParts): StreamHandlers {
  const streams = createEventStreams({
    events: parts.events,
    actorNames: parts.actorNames,
    clock: parts.clock,
    onFailed: (error) => parts.onInternalError(error, 'events.stream'),
  });
  const lists = Object.keys(STREAMS).flatMap((name) => (name.endsWith('.export') ? [name.replace('.export', '')] : []));
  const files = createOpenFiles();
  return {
    handlers: new Map<string, StreamHandler>([
      ...lists.map((list) => [`${list}.export`, createExport(parts, files, list)] as const),
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
    return { code: 'too-many-requests', detail: 'Too many streams are open: close one, or poll /manage/v1/events.' };
  const last = request.headers['last-event-id'];
  const start = await readStart(events, typeof last === 'string' ? last : String(query['after'] ?? 'now'));
  if (!start.ok) return start.error;
  reply.hijack();
  const merchantId = query['merchantId'] === undefined ? null : String(query['merchantId']);
  void streams.serve(reply.raw, { caller, merchantId, after: start.value, authenticate });
  return undefined;
}

function createExport(parts: StreamHandlerParts, files: OpenFiles, list: string): StreamHandler {
  const open = list === 'audit' ? auditSource(parts.acts, parts.actorNames) : listSource(parts.lists, list as ListName);
  return async ({ query, caller, request, reply, authenticate }) => {
    const { format: asked = 'csv', ...filters } = query;
    const format = asked as ExportFormat;
    const source = open(filters, caller);
    if (!source.ok) return source.error;
    const asker = { caller, authenticate, requestId: request.id, address: request.ip };
    const order = { list, format, source: source.value, asked: query, ...asker };
    const file = Readable.from(exportList(parts, order), { objectMode: false });
    if (!files.admit(caller, file)) return TOO_MANY_FILES;
    reply
      .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : SPREADSHEET)
      .header('content-disposition', `attachment; filename="${list}.${format}"`)
      .send(file);
    return undefined;
  };
}
