/** The audit log. */
import { Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../gateway/contract/endpoints/audit.ts';
import { usePages } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { ObjectLink } from '../../parts/links/object-link.tsx';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { LazySection } from '../../parts/loading/lazy-section.tsx';
import { ActName } from '../../parts/names/act-name.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { actorName, useWords } from '../../words/words.ts';

function filtersOf({ audit, payouts, period, acts }: Words, isOperator: boolean): readonly Filter[] {
  const byName = Object.keys(acts).sort((one, other) => (acts[one] ?? '').localeCompare(acts[other] ?? ''));
  return [
    { name: 'act', label: audit.act, options: byName, names: acts },
    { name: 'object', label: audit.object },
    { name: 'actor', label: audit.actor },
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
    ...between(audit.at, period),
  ];
}

function columnsOf({ audit, reason, entry, payment }: Words): readonly Column<AuditEntry>[] {
  return [
    { label: audit.at, cell: ({ at }) => <Moment at={at} /> },
    {
      label: audit.actor,
      cell: ({ actor }) =>
        actor.id === '' ? (
          actorName(payment, actor)
        ) : (
          <Link to="." search={((before: object) => ({ ...before, actor: actor.id })) as never}>
            {actorName(payment, actor)}
          </Link>
        ),
    },
    {
      label: audit.act,
      cell: ({ act, object }) => (
        <>
          <ActName act={act} />
          <br />
          <span className="code muted">
            <ObjectLink object={object} />
          </span>
        </>
      ),
    },
    { label: audit.phase, cell: ({ phase }) => <StateBadge state={phase} /> },
    { label: reason, cell: (entry) => entry.reason },
    { label: entry.changed, cell: (each) => <Detail entry={each} /> },
  ];
}

/** Shows the request or the change, and its network address. */
function Detail({ entry: { detail, address, requestId } }: { entry: AuditEntry }) {
  const { entry, requestId: name } = useWords();
  return (
    <LazySection summary={entry.show}>
      <Code block className="code">
        {JSON.stringify(detail, null, 2)}
      </Code>
      <Text size="xs" className="muted">
        {[address === null ? null : `${entry.from} ${address}`, `${name}: ${requestId}`].filter(Boolean).join(' · ')}
      </Text>
    </LazySection>
  );
}

/** Omits the start of an action if its outcome is listed. */
function endedOf(pages: ReturnType<typeof usePages<'audit.list'>>) {
  const ended = new Set(pages.data?.pages.flatMap(({ items }) => items.filter(isEnd).map(({ actId }) => actId)));
  const shown = (items: readonly AuditEntry[]) => items.filter((item) => isEnd(item) || !ended.has(item.actId));
  return { ...pages, data: pages.data && { pages: pages.data.pages.map(({ items }) => ({ items: shown(items) })) } };
}

const isEnd = ({ phase }: AuditEntry) => phase !== 'begun';

export default function AuditList() {
  const words = useWords();
  const filters = filtersOf(words, useSession().merchantId === null);
  return (
    <ListPage
      title={words.audit.title}
      empty={words.audit.empty}
      filters={filters}
      columns={columnsOf(words)}
      keyOf={({ merchantId, number }) => `${merchantId}/${number}`}
      pages={endedOf(usePages('audit.list', useFilters(filters)))}
      exported="audit"
    />
  );
}
