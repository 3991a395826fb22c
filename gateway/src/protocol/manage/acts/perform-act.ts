/**
 * The one gate for actions. It records the action before it starts and after it ended, and it performs a repeated request once.
 * No handler of a write runs outside it.
 */
import { createHash } from 'node:crypto';
import type { Endpoint } from '../../../../contract/parts/endpoint.ts';
import type { ActEnd, ActKey, ActStore } from '../../../domain/audit/act-store.ts';
import type { AuditPhase } from '../../../domain/audit/audit-entry.ts';
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import { withoutCardNumbers } from '../../../domain/vault/card-number.ts';
import { type Clock, MINUTE_MS } from '../../../foundation/clock.ts';
import type { Random } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { Answered } from '../handler.ts';
import { type ManageProblem, PROBLEMS, problemBody } from '../problems.ts';
import { canonicalJson } from './canonical.ts';
import { idForAudit, maskCardNumbers } from './card-numbers-in-acts.ts';

/** Keyed, so that an attacker cannot find a request's card number by trying all numbers against the stored hash. */
export type Fingerprint = (text: Secret) => Buffer;

export interface ActParts {
  readonly acts: Pick<ActStore, 'begin' | 'end'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for a dangerous action by someone with a shell on the server, which no second person approves. */
  readonly onEmergencyAct?: (act: string, object: string, actor: string) => void;
}

export interface Act {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly idempotencyKey: string;
  readonly address: string | null;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The key and the action of an approved proposal. If undefined, the caller’s key identifies a new action. */
  readonly approved?: { readonly key: ActKey; readonly actId: string };
  /** `act` identifies the action: a repeat performs it again if the first request has died. */
  readonly perform: (act: string) => Promise<Result<Answered<unknown>, ManageProblem>>;
}

export interface ActAnswer {
  readonly status: number;
  /** The JSON string of the response. */
  readonly text: string;
  readonly entityTag?: string;
  readonly cookies?: readonly string[];
  readonly repeated: boolean;
  /** The number of records that a read shows. */
  readonly records?: number;
}

/** The longest time of an action. After it, an action without an end is presumed dead. */
const LONGEST_ACT_MS = 2 * MINUTE_MS;

/** The name of an action that ends as a proposal. */
const PROPOSED = 'proposals.create';

export async function performAct(parts: ActParts, act: Act): Promise<Result<ActAnswer, ManageProblem>> {
  const { acts, clock, random } = parts;
  const { caller, endpoint } = act;
  const { actor } = caller;
  const key = act.approved?.key ?? { caller: `${actor.kind}:${actor.id}`, key: act.idempotencyKey };
  const at = clock.now();
  const common = {
    actId: act.approved?.actId ?? random.uuid(),
    act: act.name,
    actor,
    address: act.address,
    requestId: act.requestId,
    reason: reasonOf(act.body),
  };
  const place = { merchantId: chainOf(act), object: objectPath(endpoint.path, act.params) };
  const begun = await acts.begin({
    key,
    requestHash: hashOfAct(act, parts.fingerprint),
    entry: {
      ...common,
      ...place,
      at,
      phase: 'begun',
      detail: JSON.stringify(withoutSecrets(endpoint, act.body) ?? {}),
    },
    deadBefore: at - LONGEST_ACT_MS,
  });
  if (begun.kind !== 'begun') return answerRepeated(begun);
  const end = async (phase: AuditPhase, detail: unknown, answered: ActEnd['answered'], moved = {}) => {
    if (actor.kind === 'emergency' && (endpoint.stepUp || endpoint.rehearsal) && phase !== 'rejected')
      parts.onEmergencyAct?.(act.name, place.object, actor.name);
    await acts.end({
      key,
      entry: { ...common, ...place, ...moved, at: clock.now(), phase, detail: JSON.stringify(detail ?? {}) },
      answered,
    });
  };
  const result = await act.perform(identityOf(key)).catch(async (error: unknown) => {
    await end('failed', { error: error instanceof Error ? error.name : 'unknown' }, null);
    throw error;
  });
  if (!result.ok) {
    const { status } = PROBLEMS[result.error.code];
    const text = JSON.stringify(problemBody(result.error, act.requestId));
    const isReleased = result.error.code === 'step-up-required';
    const answered = isReleased ? ('released' as const) : { status, answer: text };
    await end('rejected', { code: result.error.code, detail: result.error.detail }, answered);
    return result;
  }
  const text = JSON.stringify(result.value.answer);
  const { change, created, proposed, hasSecret: isSecret = hasSecret(endpoint) } = result.value;
  const kept = isSecret ? null : text;
  const status = proposed ? 202 : 200;
  const moved = { ...(proposed ? { act: PROPOSED } : {}), ...(created === undefined ? {} : { object: created }) };
  await end('done', change, { status, answer: kept }, moved);
  return ok({ status, text, repeated: false, ...headersOf(result.value) });
}

function answerRepeated(
  begun: Exclude<Awaited<ReturnType<ActStore['begin']>>, { kind: 'begun' }>,
): Result<ActAnswer, ManageProblem> {
  switch (begun.kind) {
    case 'other_request':
      return fail({
        code: 'idempotency-key-reused',
        detail:
          'An earlier request with this Idempotency-Key had another path or body. Use a new key for a new action.',
      });
    case 'in_progress':
      return fail({ code: 'in-progress', detail: 'Repeat the request in a few seconds to get its response.' });
    default:
      return begun.answer === null
        ? fail({
            code: 'secret-not-kept',
            detail: 'The secret was shown only once. If it is lost, create a new secret.',
          })
        : ok({ status: begun.status, text: begun.answer, repeated: true });
  }
}

function identityOf({ caller, key }: ActKey): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, key]))
    .digest('hex');
}

function headersOf({ entityTag, cookies }: Answered<unknown>): Pick<ActAnswer, 'entityTag' | 'cookies'> {
  return { ...(entityTag === undefined ? {} : { entityTag }), ...(cookies === undefined ? {} : { cookies }) };
}

/** Returns the chain of the merchant that the action concerns. */
function chainOf({ caller, params, query }: Act): string {
  const { merchantId: asked } = query as { readonly merchantId?: string };
  return caller.merchantId ?? idForAudit(params['merchantId'] ?? asked ?? OPERATOR_MERCHANT);
}

/** Returns the path up to its last parameter, which identifies the object: `merchants/M1` of `/merchants/M1/keys/rotate`. */
export function objectPath(path: string, params: Readonly<Record<string, string>>): string {
  const end = path.lastIndexOf('}');
  const named = end < 0 ? path : path.slice(0, end + 1);
  return named.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => idForAudit(params[name] ?? ''));
}

/** Identifies exactly this action: a user confirms it, and a repeat must equal it. */
export function hashOfAct(
  { name, params, query, body }: Pick<Act, 'name' | 'params' | 'query' | 'body'>,
  fingerprint: Fingerprint,
): Buffer {
  return fingerprint(new Secret(canonicalJson([name, params, query, body])));
}

function reasonOf(body: unknown): string | null {
  const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : null;
  return typeof reason === 'string' ? withoutCardNumbers(reason) : null;
}

function hasSecret({ secretFields = [] }: Endpoint): boolean {
  return secretFields.length > 0;
}

function withoutSecrets({ secretFields = [] }: Endpoint, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      secretFields.includes(name) ? '[secret]' : maskCardNumbers(value),
    ]),
  );
}
