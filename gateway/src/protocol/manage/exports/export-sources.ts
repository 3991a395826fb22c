/** The lists that can be exported: how an export reads the next rows of one, and the columns that it writes. */
import type { ActStore } from '../../../domain/audit/act-store.ts';
import type { ActorNames } from '../../../domain/audit/actor.ts';
import type { AuditEntry } from '../../../domain/audit/audit-entry.ts';
import type { ListName, ListStore, Place } from '../../../domain/lists/list-store.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { ok, type Result } from '../../../foundation/result.ts';
import { showEntry } from '../handlers/audit.ts';
import { LIST_VIEWS } from '../handlers/lists.ts';
import { type AnyListQuery, readListQuery } from '../lists/list-query.ts';
import type { ManageProblem } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';
import { actorsShownTo, type Mask } from '../views/mask.ts';

/** The rows that one caller requested. */
export interface ExportSource {
  readonly merchantId: MerchantId | null;
  readPage(
    after: Place | null,
    limit: number,
  ): Promise<{ readonly items: readonly unknown[]; readonly next: Place | null }>;
  view(item: unknown, mask: Mask): Readonly<Record<string, unknown>>;
}

type OpenSource = (query: AnyListQuery, caller: Caller) => Result<ExportSource, ManageProblem>;

export function listSource(lists: ListStore, list: ListName): OpenSource {
  return (query, caller) => {
    const wanted = readListQuery(list, query, caller);
    if (!wanted.ok) return wanted;
    return ok({
      merchantId: wanted.value.merchantId,
      readPage: (after, limit) => lists[list]({ ...wanted.value, after, limit }),
      view: LIST_VIEWS[list] as ExportSource['view'],
    });
  };
}

export function auditSource({ list }: Pick<ActStore, 'list'>, actorNames: ActorNames): OpenSource {
  return ({ merchantId: named, from, to, act, object, actor }, caller) => {
    const merchantId = caller.merchantId ?? textOf(named);
    const filters = { merchantId, act: textOf(act), object: textOf(object), actor: textOf(actor) };
    const period = { from: instantOf(from), to: instantOf(to) };
    return ok({
      merchantId,
      async readPage(after, limit) {
        const [inChain, number] = after?.key ?? [];
        const before = after && { at: after.at, merchantId: String(inChain), number: Number(number) };
        const found = await list({ ...filters, ...period, before, limit: limit + 1 });
        const show = await actorsShownTo(caller, actorNames, found.length === 0);
        const items = found.slice(0, limit).map((entry) => showEntry(entry, show));
        const last = found.length > limit ? items.at(-1) : undefined;
        return { items, next: last ? { at: last.at, key: [last.merchantId, last.number] } : null };
      },
      view: (item) => viewAuditEntry(item as AuditEntry),
    });
  };
}

function viewAuditEntry({ at, actor, hash, ...entry }: AuditEntry) {
  const { merchantId, number, actId, phase, act, object, address, requestId, reason, detail } = entry;
  return {
    merchantId,
    number,
    at: instantText(at),
    actId,
    phase,
    act,
    object,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    address,
    requestId,
    reason,
    detail,
    hash: hash.toString('hex'),
  };
}

type Given = AnyListQuery[string];
const textOf = (given: Given) => (given === undefined ? null : String(given));
const instantOf = (given: Given) => (given === undefined ? null : Date.parse(String(given)));
