/** An endpoint of the payout family: its path, its signed fields, and its response to an authentic request. */
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import type { LoggedEndpoint } from '../../domain/requests/logged-request.ts';
import type { Result } from '../../foundation/result.ts';
import type { RateSetting } from '../authentication/rate-limit.ts';
import type { JsonObject } from '../http/json-body.ts';
import type { AuthenticRequest, Covered } from './authenticate-request.ts';
import type { UnsignedReply } from './payout-reply.ts';

/** A row of a list. `X-Sign` covers the complete response. */
export type ReplyRow = Readonly<Record<string, string | number>>;

export type EndpointReply =
  | { readonly kind: 'signed'; readonly fields: UnsignedReply }
  | { readonly kind: 'rows'; readonly rows: readonly ReplyRow[] };

export type PayoutRateSetting = Exclude<RateSetting, 'host2host_rate_limit'>;

/** Reads the gateway's latest recovery after a restore. Returns undefined if it never recovered. */
export type ReadRecovery = () => Promise<Recovery | undefined>;

export interface PayoutEndpoint {
  readonly name: Exclude<LoggedEndpoint, 'host2host' | 'form'>;
  readonly path: string;
  readonly rateSetting: PayoutRateSetting;
  readonly cover: (body: JsonObject) => Covered;
  /** May throw Overloaded, OutcomeUnknown and NotKnownYet. */
  readonly answer: (request: AuthenticRequest) => Promise<Result<EndpointReply, PayoutRejection>>;
}
