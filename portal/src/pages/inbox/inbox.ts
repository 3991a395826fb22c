/** The work that needs a user’s attention, from the API's lists, ordered by age and amount. */

import { ACT_NAMES } from '../../../../gateway/contract/texts/act-names.ts';
import type { Answer } from '../../api/client.ts';
import { DAY_MS, HOUR_MS } from '../../browser.ts';
import { sumOf } from '../../parts/money/amounts.ts';
import { inboxPages } from '../../words/operator/inbox.ts';

export type InboxKind =
  | 'payout'
  | 'changed'
  | 'payment'
  | 'held'
  | 'difference'
  | 'approval'
  | 'proposal'
  | 'callbacks'
  | 'lane'
  | 'float'
  | 'rail'
  | 'pause'
  | 'reset';

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

interface Common {
  readonly key: string;
  /** The object of the row, such as an id, a rail or a merchant. */
  readonly subject: string;
  /** The state as text, possibly empty. */
  readonly detail: string;
  readonly money: Money | null;
  /** Null if the start is unknown. */
  readonly since: string | null;
}

type Of<Kind extends InboxKind, Source> = Common & { readonly kind: Kind; readonly source: Source };
type ItemOf<Name extends 'payouts.overdue' | 'deposits.overdue' | 'transfers.held' | 'differences.list'> =
  Answer<Name>['items'][number];

export type InboxItem =
  | Of<'payout' | 'changed', ItemOf<'payouts.overdue'>>
  | Of<'payment', ItemOf<'deposits.overdue'>>
  | Of<'held', ItemOf<'transfers.held'>>
  | Of<'difference', ItemOf<'differences.list'>>
  | Of<'approval', Answer<'payouts.awaiting'>['items'][number]>
  | Of<'proposal', Answer<'proposals.list'>['items'][number]>
  | Of<'callbacks', { readonly merchantId: string }>
  | Of<'lane', Answer<'callbacks.failing'>['items'][number]>
  | Of<'float' | 'rail', { readonly rail: string }>
  | Of<'pause', Answer<'pauses.list'>['items'][number]>
  | Of<'reset', null>;

/** The lists that the portal has read. A list is undefined until then, and if the user may not see it. */
interface InboxSources {
  readonly payouts?: Answer<'payouts.overdue'> | undefined;
  readonly payments?: Answer<'deposits.overdue'> | undefined;
  readonly held?: Answer<'transfers.held'> | undefined;
  readonly differences?: Answer<'differences.list'> | undefined;
  readonly awaiting?: Answer<'payouts.awaiting'> | undefined;
  readonly proposals?: Answer<'proposals.list'> | undefined;
  readonly undelivered?: Answer<'callbacks.list'> | undefined;
  readonly failing?: Answer<'callbacks.failing'> | undefined;
  readonly rails?: Answer<'rails.list'> | undefined;
  readonly pauses?: Answer<'pauses.list'> | undefined;
  readonly invitations?: Answer<'invitations.list'> | undefined;
}

export function inboxOf(sources: InboxSources): InboxItem[] {
  const {
    payouts,
    payments,
    held,
    differences,
    awaiting,
    proposals,
    undelivered,
    failing,
    rails,
    pauses,
    invitations,
  } = sources;
  return [
    ...(payouts?.items ?? []).map(ofPayout),
    ...(payments?.items ?? []).map(ofPayment),
    ...(held?.items ?? []).map(ofHeld),
    ...(differences?.items ?? []).map(ofDifference),
    ...(awaiting?.items ?? []).map(ofApproval),
    ...(proposals?.items ?? []).map(ofProposal),
    ...ofCallbacks(undelivered?.items ?? []),
    ...(failing?.items ?? []).map(ofLane),
    ...(rails?.items ?? []).flatMap(ofRail),
    ...(pauses?.items ?? []).map(ofPause),
    ...(invitations?.items ?? []).filter(({ purpose }) => purpose === 'reset').map(ofReset),
  ];
}

function ofPayout(source: ItemOf<'payouts.overdue'>): InboxItem {
  const { merchantId, payoutId, amount, currency, rail, stage, note, isSealBroken, acceptedAt, overdueSince } = source;
  const detail = [rail, stage.replaceAll('_', ' '), note].filter(Boolean).join(' · ');
  const subject = `${merchantId} / ${payoutId}`;
  return {
    kind: isSealBroken ? 'changed' : 'payout',
    source,
    key: `payout ${subject}`,
    subject,
    detail,
    money: { amount, currency },
    since: isSealBroken ? acceptedAt : overdueSince,
  };
}

function ofPayment(source: ItemOf<'deposits.overdue'>): InboxItem {
  const { merchantId, orderId, attempt, amount, currency, rail, state, overdueSince } = source;
  const subject = `${merchantId} / ${orderId}`;
  const key = `payment ${subject} ${attempt}`;
  return {
    kind: 'payment',
    source,
    key,
    subject,
    detail: `${rail} · ${state}`,
    money: { amount, currency },
    since: overdueSince,
  };
}

function ofHeld(source: ItemOf<'transfers.held'>): InboxItem {
  const { rail, transferKey, amount, currency, mismatch, originator, recordedAt } = source;
  const detail = [rail, mismatch && (inboxPages.mismatches[mismatch] ?? mismatch), originator.name]
    .filter(Boolean)
    .join(' · ');
  const key = `held ${rail} ${transferKey}`;
  return { kind: 'held', source, key, subject: transferKey, detail, money: { amount, currency }, since: recordedAt };
}

function ofDifference(source: ItemOf<'differences.list'>): InboxItem {
  const { rail, day, kind, subject, foundAt } = source;
  const key = `difference ${rail} ${day} ${kind} ${subject}`;
  const detail = `${rail} · ${day} · ${inboxPages.differences[kind] ?? kind}`;
  return { kind: 'difference', source, key, subject, detail, money: null, since: foundAt };
}

function ofApproval(source: Answer<'payouts.awaiting'>['items'][number]): InboxItem {
  const { merchantId, payoutId, amount, currency, account, acceptedAt } = source;
  const subject = `${merchantId} / ${payoutId}`;
  const key = `approval ${subject}`;
  return { kind: 'approval', source, key, subject, detail: account, money: { amount, currency }, since: acceptedAt };
}

function ofProposal(source: Answer<'proposals.list'>['items'][number]): InboxItem {
  const { proposalId, act, maker, reason, createdAt, request } = source;
  const { amount, currency } = (request?.body ?? {}) as Partial<Money>;
  const detail = [maker.name, reason].filter(Boolean).join(' · ');
  return {
    kind: 'proposal',
    source,
    key: `proposal ${proposalId}`,
    subject: ACT_NAMES[act] ?? act,
    detail,
    money: amount && currency ? { amount, currency } : null,
    since: createdAt,
  };
}

/** Returns one item per merchant: its callbacks fail for one reason, and a user resends them together. */
function ofCallbacks(callbacks: Answer<'callbacks.list'>['items']): InboxItem[] {
  return [...Map.groupBy(callbacks, ({ merchantId }) => merchantId)].map(([merchantId, its]) => {
    const since = its.map(({ createdAt }) => createdAt).reduce((least, each) => (each < least ? each : least));
    const detail = `${its.length} × ${[...new Set(its.map(({ subject }) => subject))].join(', ')}`;
    return {
      kind: 'callbacks' as const,
      source: { merchantId },
      key: `callbacks ${merchantId}`,
      subject: merchantId,
      detail,
      money: null,
      since,
    };
  });
}

function ofLane(source: Answer<'callbacks.failing'>['items'][number]): InboxItem {
  const { merchantId, failures, since } = source;
  const detail = inboxPages.inbox.failedAttempts(failures);
  return { kind: 'lane', source, key: `lane ${merchantId}`, subject: merchantId, detail, money: null, since };
}

function ofRail({ name: rail, workers, floats }: Answer<'rails.list'>['items'][number]): InboxItem[] {
  const common = { source: { rail }, subject: rail };
  const isDown = workers.some(({ breaker }) => breaker === 'open');
  return [
    ...(isDown
      ? [{ ...common, kind: 'rail' as const, key: `rail ${rail}`, detail: '', money: null, since: null }]
      : []),
    ...floats
      .filter(({ isLow }) => isLow)
      .map(({ currency, amount, readAt, threshold }) => ({
        ...common,
        kind: 'float' as const,
        key: `float ${rail} ${currency}`,
        detail: `below ${threshold} ${currency}`,
        money: amount === null ? null : { amount, currency },
        since: readAt,
      })),
  ];
}

function ofPause(source: Answer<'pauses.list'>['items'][number]): InboxItem {
  const { scope, target, reason, since } = source;
  const subject = `${inboxPages.inbox.scopes[scope]} ${target}`;
  return { kind: 'pause', source, key: `pause ${subject}`, subject, detail: reason, money: null, since };
}

function ofReset({ invitationId, email, createdAt }: Answer<'invitations.list'>['items'][number]): InboxItem {
  const subject = email ?? invitationId;
  return {
    kind: 'reset',
    source: null,
    key: `reset ${invitationId}`,
    subject,
    detail: '',
    money: null,
    since: createdAt,
  };
}

export const AGES = ['older', 'day', 'hour'] as const;
export type Age = (typeof AGES)[number];

export function ageOf({ since }: Pick<InboxItem, 'since'>, now: Date): Age {
  const ms = since === null ? 0 : now.getTime() - Date.parse(since);
  return ms >= DAY_MS ? 'older' : ms >= HOUR_MS ? 'day' : 'hour';
}

/**
 * Sorts by age group, then by the largest amount, then by the longest wait. In each group, items without an amount come last.
 */
export function inOrder(items: readonly InboxItem[], now: Date): InboxItem[] {
  const size = ({ money }: InboxItem) => (money === null ? -1 : Number(money.amount));
  return [...items].sort(
    (left, right) =>
      AGES.indexOf(ageOf(left, now)) - AGES.indexOf(ageOf(right, now)) ||
      size(right) - size(left) ||
      (left.since ?? '').localeCompare(right.since ?? ''),
  );
}

/** Returns the sum of the items by currency, in alphabetical order. */
export function moneyOf(items: readonly InboxItem[]): Money[] {
  const given = items.flatMap(({ money, kind }) => (money === null || kind === 'float' ? [] : [money]));
  return [...Map.groupBy(given, ({ currency }) => currency)]
    .map(([currency, its]) => ({ currency, amount: sumOf(its.map(({ amount }) => amount)) }))
    .sort((left, right) => left.currency.localeCompare(right.currency));
}
