/**
 * Two-person approval: an action that a policy binds becomes a proposal, and the approval of the proposal performs the action.
 * Both run the action inside one transaction, so that a policy about amounts sees the exact postings, and an approval commits
 * together with its action.
 */
import { createHash } from 'node:crypto';
import { ENDPOINTS, type EndpointName } from '../../../../contract/endpoints.ts';
import { canBeBound, type Endpoint, permissionsOf } from '../../../../contract/parts/endpoint.ts';
import type { Rehearsal } from '../../../../contract/parts/rehearsals.ts';
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import { type Caller, peopleBehind, personOf } from '../../../domain/people/caller.ts';
import type { Visit } from '../../../domain/people/people-parts.ts';
import type { PeopleStore } from '../../../domain/people/people-store.ts';
import { mailboxOf } from '../../../domain/people/person.ts';
import { bindingRule } from '../../../domain/proposals/policy.ts';
import type { BoundCaller, PolicyStore } from '../../../domain/proposals/policy-store.ts';
import { PROPOSAL_VALID_MS, type Proposal } from '../../../domain/proposals/proposal.ts';
import type { ProposalStore } from '../../../domain/proposals/proposal-store.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { Random } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type Answered, isPermitted, type ManageRequest } from '../handler.ts';
import type { ManageProblem } from '../problems.ts';
import { createRequestReader } from '../read-request.ts';
import { showAll } from '../views/mask.ts';
import { readContent, viewProposal } from '../views/proposal-view.ts';
import type { ActTransaction, RunInTransaction } from './act-transaction.ts';
import { canonicalJson } from './canonical.ts';
import { type ActAnswer, type Fingerprint, objectPath, performAct } from './perform-act.ts';
import { describeEffects, performInside, type RequestedAct } from './rehearse-act.ts';

export interface TwoPeopleParts {
  readonly policies: Pick<PolicyStore, 'binding'>;
  readonly proposals: ProposalStore;
  readonly people: { readonly people: Pick<PeopleStore, 'find' | 'passkeys'> };
  readonly runInTransaction: RunInTransaction;
  readonly clock: Clock;
}

/** Returns the users who decide on the actions of this caller. */
export function teamOf({ merchantId }: Pick<Caller, 'merchantId'>): string {
  return merchantId ?? OPERATOR_MERCHANT;
}

/** Returns the caller in the form that the rules use. */
export function boundCaller(caller: Caller): BoundCaller {
  return { team: teamOf(caller), actor: caller.actor, people: peopleBehind(caller) };
}

/** Performs the action, or proposes it if a policy binds it. Someone with a shell on the server needs no second person. */
export async function performUnderPolicies(
  parts: TwoPeopleParts,
  requested: RequestedAct,
  perform: () => Promise<Result<Answered<unknown>, ManageProblem>>,
): Promise<Result<Answered<unknown>, ManageProblem>> {
  const { name, endpoint, request } = requested;
  if (!canBeBound(endpoint) || endpoint.approval || request.caller.actor.kind === 'emergency') return perform();
  const rules = await parts.policies.binding(name, boundCaller(request.caller));
  const merchants = merchantsNamed(request);
  const named = bindingRule(rules, { merchants, posted: [] });
  if (rules.length === 0 || (endpoint.rehearsal !== 'money' && !named)) return perform();
  if (endpoint.rehearsal === undefined) return propose(parts, requested, NO_REHEARSAL, named?.team);
  const outcome = await parts.runInTransaction(async (act) => {
    const { result } = await performInside(act, requested);
    const rule = result.ok ? bindingRule(rules, { merchants, posted: await act.posted() }) : undefined;
    const rehearsal = rule && (await describeEffects(act, endpoint, result));
    return { keep: result.ok && !rule, value: { result, rehearsal, team: rule?.team } };
  });
  return outcome.rehearsal ? propose(parts, requested, outcome.rehearsal, outcome.team) : outcome.result;
}

/** The result of a dry run for an action without dry runs. */
const NO_REHEARSAL: Rehearsal = { possible: true, problem: null, postings: [], balances: [], change: null };

/** An action on the operator concerns no single merchant. */
function merchantsNamed({ params, query, body, caller }: ManageRequest<Endpoint>): string[] {
  const named = [params, query, body ?? {}].map((part) => (part as { readonly merchantId?: unknown }).merchantId);
  const { scope, target } = params as { readonly scope?: unknown; readonly target?: unknown };
  const paused = scope === 'merchant' ? target : undefined;
  const merchants = [...named, paused, caller.merchantId].filter((each) => typeof each === 'string');
  return merchants.filter((merchantId) => merchantId !== OPERATOR_MERCHANT);
}

/** A repeat of the request finds the same proposal. */
async function propose(
  { proposals, people: { people }, clock }: TwoPeopleParts,
  { name, endpoint, request }: RequestedAct,
  rehearsal: Rehearsal,
  team = teamOf(request.caller),
): Promise<Result<Answered<unknown>, ManageProblem>> {
  const { params, query, body, ifMatch, caller, act, signature } = request;
  const secret = endpoint.secretFields?.find((field) => Object.hasOwn((body as object | undefined) ?? {}, field));
  if (secret !== undefined)
    return fail({
      code: 'rejected',
      field: `/${secret}`,
      detail: `A second person must approve this, and a proposal does not store secrets: omit ${secret}, and the gateway generates it.`,
    });
  const { dryRun: _, ...exact } = query as { readonly dryRun?: boolean };
  // The operator's policies may bind an action at a merchant. Its maker acts there again when the gateway executes it.
  const at = team === teamOf(caller) ? {} : { at: caller.merchantId };
  const content = canonicalJson({ request: { endpoint: name, params, query: exact, body, ifMatch, ...at }, rehearsal });
  const makerPerson = personOf(caller);
  const person = makerPerson === '' ? undefined : await people.find(makerPerson);
  const passkeys = person ? await people.passkeys(makerPerson) : [];
  const signedBy = signature?.kind === 'passkey' ? [signature.credentialId] : [];
  const createdAt = clock.now();
  const proposal: Proposal = {
    proposalId: act.slice(0, 32),
    team,
    act: name,
    content,
    hash: createHash('sha256').update(content).digest(),
    object: objectPath(endpoint.path, params as Record<string, string>),
    reason: reasonOf(body),
    maker: caller.actor,
    makerPerson,
    makerMailbox: person ? mailboxOf(person.email) : '',
    makerCredentials: [...new Set([...passkeys.map(({ credentialId }) => credentialId), ...signedBy])],
    createdAt,
    expiresAt: createdAt + PROPOSAL_VALID_MS,
  };
  await proposals.add(proposal);
  const kept = (await proposals.find(proposal.proposalId)) ?? { proposal, end: null };
  const answer = viewProposal(kept, createdAt, showAll);
  const { proposalId, hash } = answer;
  const change = { before: null, after: { proposalId, act: name, hash } };
  return ok({ answer, change, created: `proposals/${proposalId}`, proposed: true, hasSecret: false });
}

function reasonOf(body: unknown): string | null {
  const { reason = null } = (body ?? {}) as { readonly reason?: string };
  return reason;
}

interface ExecutionParts {
  readonly fingerprint: Fingerprint;
  readonly clock: Clock;
  readonly random: Random;
  readonly actId: string;
  readonly visit: Visit;
  /** The maker with its current permissions. */
  readonly maker: Caller;
  /** The user to whom a secret of the response is shown. */
  readonly approvedBy: string;
}

/** Performs the proposal's exact action as its maker, through the gate of every action. On success the caller commits. */
export async function executeInside(
  act: ActTransaction,
  { proposalId, act: name, content }: Proposal,
  { fingerprint, clock, random, actId, visit, maker, approvedBy }: ExecutionParts,
): Promise<Result<ActAnswer, ManageProblem>> {
  const endpoint: Endpoint | undefined = Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name as EndpointName] : undefined;
  if (!endpoint) return fail(CHANGED);
  if (!isPermitted(maker, endpoint))
    return fail({
      code: 'forbidden',
      detail: `The user who proposed this action no longer has the permission ${permissionsOf(endpoint).join(' or ')}.`,
    });
  const { request, rehearsal } = readContent(content);
  const read = createRequestReader(endpoint)({ ...request, body: request.body ?? undefined });
  if (!read.ok) return read;
  const exact = read.value as Pick<ManageRequest<Endpoint>, 'params' | 'query' | 'body'>;
  return performAct(
    { acts: act.acts, fingerprint, clock, random },
    {
      name,
      endpoint,
      caller: maker,
      idempotencyKey: proposalId,
      address: visit.address,
      requestId: visit.requestId,
      params: exact.params as Record<string, string>,
      query: exact.query,
      body: exact.body,
      approved: { key: { caller: 'proposal', key: proposalId }, actId },
      async perform(identity) {
        const around = {
          caller: { ...maker, approvedBy },
          visit,
          cookies: { session: null, openid: null },
          ifMatch: request.ifMatch,
        };
        const requested = { name: name as EndpointName, endpoint, request: { ...exact, ...around, act: identity } };
        const { result } = await performInside(act, requested);
        if (!result.ok) return result;
        const effects = await describeEffects(act, endpoint, result);
        return signedPart(effects) === signedPart(rehearsal) ? result : fail(CHANGED);
      },
    },
  );
}

/** Balances move on while a proposal waits, and generated names differ. The postings and the state before must not. */
function signedPart({ postings, change }: Rehearsal): string {
  return canonicalJson([postings, change?.before]);
}

const CHANGED: ManageProblem = {
  code: 'changed-meanwhile',
  detail: 'The action would now differ from its dry run. Propose it again.',
};
