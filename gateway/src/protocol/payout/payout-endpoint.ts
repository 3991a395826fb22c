/** What an endpoint of the payout family is: a path, what its signature covers, and an answer to an authentic request. */
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import type { Result } from '../../foundation/result.ts';
import type { RateSetting } from '../authentication/rate-limit.ts';
import type { JsonObject } from '../http/json-body.ts';
import type { AuthenticRequest } from './authenticate-request.ts';
import type { Covered } from './covered-fields.ts';
import type { UnsignedReply } from './payout-reply.ts';

/** A row of a list. The reply is signed as a whole, by its `X-Sign`. */
export type ReplyRow = Readonly<Record<string, string | number>>;

export type EndpointReply =
  | { readonly kind: 'signed'; readonly fields: UnsignedReply }
  | { readonly kind: 'rows'; readonly rows: readonly ReplyRow[] };

export type PayoutRateSetting = Exclude<RateSetting, 'host2host_rate_limit'>;

/** The gateway's latest recovery after a restore; undefined: there was none. */
export type ReadRecovery = () => Promise<Recovery | undefined>;

export interface PayoutEndpoint {
  readonly path: string;
  readonly rateSetting: PayoutRateSetting;
  readonly cover: (body: JsonObject) => Covered;
  /** May throw Overloaded, OutcomeUnknown and NotKnownYet. */
  readonly answer: (request: AuthenticRequest) => Promise<Result<EndpointReply, PayoutRefusal>>;
}
