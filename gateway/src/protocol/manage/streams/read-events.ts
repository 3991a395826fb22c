/** Reads pages of events for a caller: only of its merchant, and only of kinds that it may read. */
import type { GatewayEvent as EventView } from '../../../../contract/endpoints/events.ts';
import {
  EVENT_OBJECTS,
  type EventObject,
  type EventPage,
  type EventPlace,
  type EventStore,
  FIRST_PLACE,
  type GatewayEvent,
} from '../../../domain/events/event-store.ts';
import { reasonAsMerchantSees } from '../../../domain/payouts/explain-pending.ts';
import { EVENTS_WITH_REASONS, type HistoryReason } from '../../../domain/payouts/history-reason.ts';
import { type Caller, mayUse } from '../../../domain/people/caller.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import type { ManageProblem } from '../problems.ts';
import { reasonsText } from '../views/history-views.ts';
import { instantText } from '../views/instant-text.ts';
import type { ShowActor } from '../views/mask.ts';

const NEEDED: Readonly<Record<EventObject, string>> = {
  payout: 'payouts:read',
  deposit: 'deposits:read',
  callback: 'callbacks:read',
  act: 'audit:read',
  batch: 'payouts:read',
};

export function readEventPage(
  events: EventStore,
  caller: Caller,
  {
    merchantId,
    after,
    limit,
  }: { readonly merchantId: string | null; readonly after: EventPlace; readonly limit: number },
): Promise<EventPage> {
  const objects = EVENT_OBJECTS.filter((object) => mayUse(caller, NEEDED[object]));
  return events.read({ merchantId: caller.merchantId ?? merchantId, objects, after, limit });
}

/** `now` means the end of all committed events. If `after` is undefined, the reader begins with the first event. */
export async function readStart(
  events: EventStore,
  after: string | undefined,
): Promise<Result<EventPlace, ManageProblem>> {
  if (after === undefined) return ok(FIRST_PLACE);
  if (after === 'now') return ok(await events.end());
  const place = readPlace(after);
  if (place) return ok(place);
  return fail({
    code: 'invalid-request',
    field: 'after',
    detail: 'after must be the "next" of an earlier page, or "now".',
  });
}

/** The kinds of the parts of each key, by the place of its object in EVENT_OBJECTS. */
const KEYS = [
  [],
  ['text', 'text', 'small'],
  ['text', 'number', 'number'],
  ['text', 'text', 'small'],
  ['text', 'number'],
  ['text', 'text', 'small'],
];

function readPlace(cursor: string): EventPlace | undefined {
  const [transaction, kind, ...key] = readCursor(cursor) ?? [];
  if (typeof transaction !== 'string' || !/^\d{1,18}$/.test(transaction) || typeof kind !== 'number') return undefined;
  const parts = KEYS[kind];
  const isKey = parts?.length === key.length && parts.every((part, index) => isPart(part, key[index]));
  return isKey ? { transaction, kind, key: key as (string | number)[] } : undefined;
}

function isPart(kind: string, part: unknown): boolean {
  if (kind === 'text') return typeof part === 'string' && !part.includes('\0');
  return Number.isSafeInteger(part) && (part as number) >= 0 && (kind === 'number' || (part as number) < 2 ** 15);
}

export function placeText({ transaction, kind, key }: EventPlace): string {
  return writeCursor([transaction, kind, ...key]);
}

export function viewEvent({ place, at, actor, ...event }: GatewayEvent, show: ShowActor): EventView {
  return { id: placeText(place), at: instantText(at), ...event, actor: show(actor), detail: detailOf(event) };
}

/** Returns the detail as the merchant may see it. The note of a rerouting has the error of a provider. */
function detailOf({ object, event, detail }: Pick<GatewayEvent, 'object' | 'event' | 'detail'>): string {
  if (object !== 'payout' || !EVENTS_WITH_REASONS.has(event) || !detail.startsWith('[')) return detail;
  return reasonsText((JSON.parse(detail) as HistoryReason[]).map(reasonAsMerchantSees));
}
