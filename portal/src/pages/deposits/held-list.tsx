/** The list of held transfers: money that does not match a deposit. */
import type { ListedTransfer } from '../../../../gateway/contract/endpoints/lists.ts';
import { TRANSFER_STATES } from '../../../../gateway/contract/texts/states.ts';
import { usePages } from '../../api/queries.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { depositPath, heldPath } from '../../parts/links/paths.ts';
import { type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

const { mismatches } = operatorPages.held;

function filtersOf({ held, payouts, deposits }: Words): readonly Filter[] {
  return [
    { name: 'state', label: payouts.state, options: TRANSFER_STATES },
    { name: 'mismatch', label: held.mismatch, options: Object.keys(mismatches), names: mismatches },
    { name: 'rail', label: payouts.rail },
    { name: 'payTo', label: deposits.payTo },
    { name: 'transferKey', label: held.key },
    { name: 'merchantId', label: payouts.merchant },
  ];
}

function columnsOf({ held, payouts, deposits }: Words): readonly Column<ListedTransfer>[] {
  return [
    {
      label: held.key,
      cell: ({ rail, transferKey }) => <PageLink to={heldPath(rail, transferKey)}>{transferKey}</PageLink>,
    },
    { label: payouts.rail, cell: ({ rail }) => rail },
    { label: payouts.amount, cell: (transfer) => <Money {...transfer} />, isEnd: true },
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    { label: held.mismatch, cell: ({ mismatch }) => mismatch && (mismatches[mismatch] ?? mismatch) },
    { label: deposits.originator, cell: ({ originator }) => originator.name },
    {
      label: deposits.order,
      cell: ({ merchantId, orderId }) =>
        orderId === null ? null : <PageLink to={depositPath(merchantId, orderId)}>{orderId}</PageLink>,
    },
    { label: held.booked, cell: ({ bookedAt }) => <Moment at={bookedAt} /> },
  ];
}

export default function HeldList() {
  const words = useWords();
  const filters = filtersOf(words);
  return (
    <ListPage
      title={words.held.title}
      empty={words.held.empty}
      filters={filters}
      columns={columnsOf(words)}
      keyOf={({ rail, transferKey }) => `${rail}/${transferKey}`}
      pathOf={({ rail, transferKey }) => heldPath(rail, transferKey)}
      pages={usePages('transfers.list', useFilters(filters))}
      exported="transfers"
    />
  );
}
