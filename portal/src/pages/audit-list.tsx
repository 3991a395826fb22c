import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../gateway/contract/audit.ts';
import { usePages } from '../api/queries.ts';
import { type Filter, ListPage, useFilters } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import type { Column } from '../parts/table.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/words.ts';

function filtersOf({ audit, payouts }: Words): readonly Filter[] {
  return [
    { name: 'act', label: audit.act },
    { name: 'object', label: audit.object },
    { name: 'actor', label: audit.actor },
    { name: 'merchantId', label: payouts.merchant },
    { name: 'from', label: `${audit.at} ≥`, type: 'date' },
    { name: 'to', label: `${audit.at} <`, type: 'date' },
  ];
}

function columnsOf({ audit, reason }: Words): readonly Column<AuditEntry>[] {
  return [
    { label: audit.at, cell: ({ at }) => <Moment at={at} /> },
    {
      label: audit.actor,
      cell: ({ actor }) => (
        <Link to="." search={((before: object) => ({ ...before, actor: actor.id })) as never}>
          {actor.name || actor.kind}
        </Link>
      ),
    },
    { label: audit.act, cell: ({ act }) => act },
    { label: audit.object, cell: ({ object }) => object },
    { label: audit.phase, cell: ({ phase }) => <StateBadge state={phase} /> },
    { label: reason, cell: (entry) => entry.reason },
  ];
}

export default function AuditList() {
  const words = useWords();
  const filters = filtersOf(words);
  return (
    <ListPage
      title={words.audit.title}
      empty={words.audit.empty}
      filters={filters}
      columns={columnsOf(words)}
      keyOf={({ merchantId, number }) => `${merchantId}/${number}`}
      pages={usePages('audit.list', useFilters(filters))}
    />
  );
}
