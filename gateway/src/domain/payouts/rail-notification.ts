/** What a bank tells on its own account. A rail that can be told speaks this beside PayoutRail. */
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import type { BlockedCode } from './payout.ts';

interface NewsOfPayout {
  readonly reference: string;
  /** What the bank says it is about; null when it names no amount. */
  readonly money: Money | null;
}

export type RailNews =
  | (NewsOfPayout & { readonly kind: 'executed' })
  | (NewsOfPayout & { readonly kind: 'declined'; readonly code: BlockedCode; readonly reason: string })
  | (NewsOfPayout & { readonly kind: 'reversed'; readonly reason: string });

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
  read(notification: RawNotification): Result<readonly RailNews[], NotificationFailure>;
  /** What the bank wants to hear when the news is safely recorded. */
  readonly acknowledgement: { readonly contentType: string; readonly body: string };
}
