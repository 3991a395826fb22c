/** The port of the events: everything that happened to payments, callbacks and settings, in the order of their commits. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** The object of an event. */
export const EVENT_OBJECTS = ['payout', 'deposit', 'callback', 'act', 'batch'] as const;
export type EventObject = (typeof EVENT_OBJECTS)[number];

/**
 * The position of an event: the database transaction that wrote it, the index of its object's kind in EVENT_OBJECTS, and the
 * rest of its key. A position without a key is before the first event of its transaction.
 */
export interface EventPlace {
  readonly transaction: string;
  readonly kind: number;
  readonly key: readonly (string | number)[];
}

/** The position before every event. */
export const FIRST_PLACE: EventPlace = { transaction: '0', kind: 0, key: [] };

export interface GatewayEvent {
  readonly place: EventPlace;
  readonly at: Instant;
  readonly merchantId: MerchantId;
  readonly object: EventObject;
  /** The payout, the order, the callback, or the path of an action's object. */
  readonly objectId: string;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  readonly detail: string;
}

export interface EventQuery {
  /** If null, the page contains the events of all merchants. */
  readonly merchantId: MerchantId | null;
  readonly objects: readonly EventObject[];
  /** The page begins after this place. */
  readonly after: EventPlace;
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly GatewayEvent[];
  /** The position of the next page. Every event before it has been read. */
  readonly next: EventPlace;
  /** False if no event currently follows `next`. */
  readonly hasMore: boolean;
}

export interface EventStore {
  read(query: EventQuery): Promise<EventPage>;
  /** Returns the position after every committed event, except those that an open transaction hides. */
  end(): Promise<EventPlace>;
}
