/** What a bank tells on its own account. A rail that can be told speaks this beside PayoutRail. */
import type { BlockedCode } from './payout.ts';

export type RailNews =
  | { readonly kind: 'executed'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reference: string; readonly code: BlockedCode; readonly reason: string }
  | { readonly kind: 'reversed'; readonly reference: string; readonly reason: string };

export type NotificationFailure =
  | { readonly kind: 'unauthentic' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** The bytes as they came. Header names in lower case. */
export interface RawNotification {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface RailNotifications {
  /** The rail's name; its notifications arrive at `/rail-notifications/<name>`. */
  readonly name: string;
  read(
    notification: RawNotification,
  ):
    | { readonly ok: true; readonly news: readonly RailNews[] }
    | { readonly ok: false; readonly failure: NotificationFailure };
  /** What the bank wants to hear when the news is safely recorded. */
  readonly acknowledgement: { readonly contentType: string; readonly body: string };
}
