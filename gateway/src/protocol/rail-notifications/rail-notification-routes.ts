/**
 * POST /rail-notifications/:rail, where banks notify the gateway. It limits the notifications in flight, hands the raw
 * bytes, which a signature covers, to process-notification.ts, and maps the outcome to the status that the bank understands.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type NotificationRejection,
  type ProcessNotificationParts,
  processNotification,
} from '../../domain/notifications/process-notification.ts';
import type { RailNotifications, RawNotification } from '../../domain/notifications/rail-notification.ts';

export interface RailNotificationParts extends ProcessNotificationParts {
  readonly rails: readonly RailNotifications[];
  /** The limit of notifications in flight per rail. The server defers the rest. Defaults to 64. */
  readonly maxInFlight?: number;
}

const LARGEST_BODY_BYTES = 64 * 1024;

/** Counted per rail, so that a slow provider does not delay other rails' notifications. */
const MAX_IN_FLIGHT = 64;

/** A bank repeats a notification unless it gets a 200, so an unrecorded notification must get a different status. */
const REJECTIONS: Readonly<Record<Exclude<NotificationRejection, 'malformed'>, { status: number; error: string }>> = {
  unauthentic: { status: 401, error: 'unauthentic' },
  unknown_reference: { status: 404, error: 'unknown_reference' },
  wrong_amount: { status: 409, error: 'wrong_amount' },
  unconfirmed: { status: 503, error: 'try_again' },
  overloaded: { status: 503, error: 'try_again' },
};

export function registerRailNotifications(app: FastifyInstance, parts: RailNotificationParts): void {
  const rails = new Map(parts.rails.map((rail) => [rail.name, { rail, inFlight: 0 }]));
  const maxInFlight = parts.maxInFlight ?? MAX_IN_FLIGHT;

  async function answer(request: FastifyRequest<{ Params: { rail: string } }>, reply: FastifyReply) {
    const found = rails.get(request.params.rail);
    if (!found) return reply.code(404).send({ error: 'unknown_rail' });
    const { rail } = found;
    if (found.inFlight >= maxInFlight) {
      parts.onNotification({ kind: 'overloaded', rail: rail.name }, false);
      return reject(reply, 'overloaded');
    }
    found.inFlight += 1;
    try {
      const processed = await processNotification(parts, rail, rawNotification(request));
      if (processed.outcome === 'malformed') return reply.code(rail.malformedStatus).send({ error: 'malformed' });
      if (processed.outcome !== 'recorded') return reject(reply, processed.outcome);
      const { status, contentType, body } = processed.acknowledgement;
      return reply.code(status).type(contentType).send(body);
    } finally {
      found.inFlight -= 1;
    }
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // `maxInFlight` limits them instead: they complete payments that already began, before new requests.
    const options = { bodyLimit: LARGEST_BODY_BYTES, config: { trafficClass: 'unlimited' } } as const;
    scope.post('/rail-notifications/:rail', options, answer);
  });
}

function reject(reply: FastifyReply, outcome: keyof typeof REJECTIONS): FastifyReply {
  const { status, error } = REJECTIONS[outcome];
  if (status === 503) reply.header('retry-after', '1');
  return reply.code(status).send({ error });
}

function rawNotification(request: FastifyRequest): RawNotification {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { body, headers: Object.fromEntries(headers), clientAddress: request.ip };
}
