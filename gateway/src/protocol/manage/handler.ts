/** The shape of a handler: it reads a validated request and returns a response, or a problem. It does not know HTTP. */
import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  permissionsOf,
  type QueryOf,
} from '../../../contract/parts/endpoint.ts';
import { type Caller, mayUse } from '../../domain/people/caller.ts';
import type { Visit } from '../../domain/people/people-parts.ts';
import type { Signature } from '../../domain/people/sign-in/person-signature.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { ManageProblem } from './problems.ts';

export interface ManageRequest<Of extends Endpoint> {
  readonly params: ParamsOf<Of>;
  readonly query: QueryOf<Of>;
  readonly body: BodyOf<Of>;
  readonly caller: Caller;
  readonly visit: Visit;
  /** The values of the gateway’s cookies. Null if the browser did not send the cookie. */
  readonly cookies: Readonly<Record<'session' | 'openid', Secret | null>>;
  /** The entity tag of `If-Match`, without quotes, or null without one. */
  readonly ifMatch: string | null;
  /** Identifies a write: the same for all its repeats, which may perform it again. Empty for a read. */
  readonly act: string;
  /** The signature by which the user confirmed a dangerous action. */
  readonly signature?: Signature | undefined;
}

export interface Answered<Answer> {
  readonly answer: Answer;
  /** The version of the object, for a later `If-Match`. */
  readonly entityTag?: string;
  /** The change that the action made, for the audit log. Without secrets. */
  readonly change?: { readonly before: unknown; readonly after: unknown };
  /** The path of the object that the action created. */
  readonly created?: string;
  /** Overrides the endpoint's setting: whether the response contains a secret and is therefore not stored. */
  readonly hasSecret?: boolean;
  /** True if the response is a proposal of the action, which the gateway did not perform. */
  readonly proposed?: true;
  /** The `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}

/** A file that is not JSON, or is written in chunks. Only an endpoint without an action responds this way. */
export interface AnsweredFile {
  readonly file: { readonly name: string; readonly contentType: string; readonly pieces: AsyncIterable<Buffer> };
}

export type Handler<Of extends Endpoint> = (
  request: ManageRequest<Of>,
) => Promise<Result<Answered<AnswerOf<Of>> | AnsweredFile, ManageProblem>>;

export type HandlersOf<Group extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Group]: Handler<Group[Name]>;
};

/** True if the caller has one of the endpoint’s permissions, or if the endpoint needs none. */
export function isPermitted(caller: Pick<Caller, 'permissions'>, endpoint: Endpoint): boolean {
  const permissions = permissionsOf(endpoint);
  return permissions.length === 0 || permissions.some((permission) => mayUse(caller, permission));
}
