/** The audit log and the invariants of the books. */
import type { AUDIT_ENDPOINTS, AuditEntry as AuditView } from '../../../../contract/endpoints/audit.ts';
import type { AuditEntry } from '../../../domain/audit/audit-entry.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { InvariantReport } from '../../../domain/monitoring/invariant-report.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import { INVALID_CURSOR } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';
import { actorsShownTo, isHidden, type ShowActor, showActor, showActorKey, showAll } from '../views/mask.ts';

export function auditHandlers(operations: GatewayOperations): HandlersOf<typeof AUDIT_ENDPOINTS> {
  return {
    async 'audit.list'({ query, caller }) {
      const { merchantId = null, act = null, object = null, actor = null, from, to, limit = 50, after } = query;
      const before = after === undefined ? null : readPlace(after);
      if (before === undefined) return fail(INVALID_CURSOR);
      const found = await operations.audit.list({
        merchantId,
        act,
        object,
        actor,
        before,
        limit: limit + 1,
        from: from === undefined ? null : Date.parse(from),
        to: to === undefined ? null : Date.parse(to),
      });
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const next = last ? writeCursor([last.at, last.merchantId, last.number]) : null;
      const show = await actorsShownTo(caller, operations.people.actorNames, items.length === 0);
      return ok({ answer: { items: items.map((entry) => viewEntry(showEntry(entry, show))), next } });
    },
    async 'audit.verify'() {
      const heads = (await operations.audit.heads()).map(({ hash, ...head }) => ({
        ...head,
        hash: hash.toString('hex'),
      }));
      return ok({ answer: { ...viewReports(await operations.audit.verify()), heads } });
    },
    async 'books.verify'() {
      return ok({ answer: viewReports(await operations.books.verify()) });
    },
  };
}

function readPlace(cursor: string) {
  const [at, merchantId, number] = readCursor(cursor) ?? [];
  return typeof at === 'number' && typeof merchantId === 'string' && typeof number === 'number'
    ? { at, merchantId, number }
    : undefined;
}

/** The values of the detail that are names of actors, or the kind and the id of one. */
const NAMES: ReadonlySet<string> = new Set(['createdBy', 'submittedBy', 'viewedBy']);
const KEYS: ReadonlySet<string> = new Set(['invitedBy', 'approvedBy']);

/** Returns the entry without operator users, and without the address from which they acted. */
export function showEntry(entry: AuditEntry, show: ShowActor): AuditEntry {
  if (show === showAll) return entry;
  const named = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return NAMES.has(name) ? show(value) : KEYS.has(name) ? showActorKey(value) : value;
  };
  const detail = JSON.stringify(JSON.parse(entry.detail, named));
  const shown = { ...entry, actor: showActor(entry.actor, show), detail };
  return isHidden(entry.actor, show) ? { ...shown, address: null } : shown;
}

function viewEntry({ at, detail, hash, ...entry }: AuditEntry): AuditView {
  return { ...entry, at: instantText(at), detail: JSON.parse(detail) as unknown, hash: hash.toString('hex') };
}

function viewReports(reports: readonly InvariantReport[]) {
  const invariants = reports.map(({ name, meaning, holds, offending }) => ({
    name,
    meaning,
    holds,
    offending: offending.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, text(value)])),
    ),
  }));
  return { ok: invariants.every(({ holds }) => holds), invariants };
}

function text(value: unknown): string | null {
  return value === null ? null : String(value);
}
