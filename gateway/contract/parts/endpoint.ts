/**
 * The description of one endpoint of the management API. Validation, authorisation, the OpenAPI document, the command
 * line and the pages all follow from it. This folder imports nothing of the gateway, so that clients can share it.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Permission } from '../permissions.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: HttpMethod;
  /** Below `BASE_PATH`, with its parameters in braces, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Null if the endpoint needs no permission, because it concerns only the caller. */
  readonly permission: Permission | null;
  /** Suffices instead of `permission`, for the objects that the handler decides. */
  readonly orPermission?: Permission;
  /**
   * `own`: a merchant's caller may use it, for its own merchant only, which `merchantId` in the path or in the query names.
   * `operator`: only the operator's callers may use it; for others it does not exist. `person`: only a signed-in person, about
   * their own session and credentials. `anyone`: needs no credential, and the audit log does not record it; the domain records
   * the important ones.
   */
  readonly audience: 'own' | 'operator' | 'person' | 'anyone';
  /**
   * For a dangerous action: a person confirms exactly this action with a passkey or a code, in the header `Step-Up`.
   * `passkey`: a code does not suffice, because it signs nothing. `strongest`: a code suffices for a person without a passkey.
   */
  readonly stepUp?: true | 'passkey' | 'strongest';
  /**
   * For an action that moves money or changes a rule: with `dryRun=true` the gateway performs it, answers a `Rehearsal`, and
   * rolls it back. So the action must change nothing but the database. `money`: it may post to the ledger.
   */
  readonly rehearsal?: 'money' | 'rule';
  /** The limit of the body; by default the server's limit. */
  readonly largestBodyBytes?: number;
  /** True if the object itself awaits approval instead of becoming a proposal. */
  readonly approval?: true;
  /**
   * A rule can name the action although it has no dry run, because no rollback restores its change: a sequence, or a file. A
   * repetition of the action must do no harm.
   */
  readonly bindable?: true;
  /** True for a write without a lasting effect: it needs no Idempotency-Key, and the audit log does not record it. */
  readonly unrecorded?: true;
  /**
   * For a read that shows personal data to callers with `personal:read`. `always`: the audit log has each such read. `in bulk`:
   * it has those of a caller who has read many records within an hour.
   */
  readonly showsPersonal?: 'always' | 'in bulk';
  readonly params: TObject;
  readonly query: TObject;
  /** If undefined, the endpoint reads no body. */
  readonly body?: TSchema;
  readonly answer: TSchema;
  /** The content types that the query can request instead of JSON. */
  readonly files?: readonly string[];
  /** If true, the caller names the version that it read, in `If-Match`. */
  readonly ifMatch?: true;
  /** True for an action that a person of the operator may do while they see the pages of a merchant. */
  readonly whileViewing?: true;
  /**
   * The fields of the body and of the answer that are secrets. The audit log masks them, and a repetition does not get them.
   */
  readonly secretFields?: readonly string[];
  /** The command of `gateway` that does the same, without its arguments. Undefined if the command line has no such command. */
  readonly command?: string;
}

/** The base path of every endpoint. The number changes only when a client of the last one would break. */
export const BASE_PATH = '/manage/v1';

export type ParamsOf<Of extends Endpoint> = Static<Of['params']>;
export type QueryOf<Of extends Endpoint> = Static<Of['query']>;
export type BodyOf<Of extends Endpoint> = Of extends { readonly body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;
export type AnswerOf<Of extends Endpoint> = Static<Of['answer']>;

/** Keeps the literal types of a group of endpoints. */
export function defineEndpoints<const Group extends Readonly<Record<string, Endpoint>>>(group: Group): Group {
  return group;
}

/** Returns the permissions of which a caller needs one. If empty, the endpoint needs no permission. */
export function permissionsOf({ permission, orPermission }: Pick<Endpoint, 'permission' | 'orPermission'>) {
  return [permission, orPermission].filter((name) => name !== null && name !== undefined);
}

/** True when the endpoint changes something. */
export function isWrite({ method }: Pick<Endpoint, 'method'>): boolean {
  return method !== 'GET';
}

/** True when a rule can bind the action, so that it waits for a second person. */
export function canBeBound({ rehearsal, bindable }: Pick<Endpoint, 'rehearsal' | 'bindable'>): boolean {
  return rehearsal !== undefined || bindable === true;
}

/** True when the audit log records the request as an action, so that it needs an Idempotency-Key. */
export function isAct(endpoint: Pick<Endpoint, 'method' | 'audience' | 'unrecorded'>): boolean {
  return isWrite(endpoint) && endpoint.audience !== 'anyone' && !endpoint.unrecorded;
}
