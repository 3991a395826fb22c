/** The movements of money between the ledger's accounts, newest first. */
import type { ListedLedgerLine } from '../../../../gateway/contract/lists.ts';
import { usePages } from '../../api/queries.ts';
import { type Filter, ListPage, useFilters } from '../../parts/list-page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { payoutPath } from '../../parts/paths.ts';
import type { Column } from '../../parts/table.tsx';
import { office } from '../../words/office.ts';

const words = office.ledger;

const FILTERS: readonly Filter[] = [
  { name: 'merchantId', label: words.merchant },
  { name: 'account', label: words.account },
  { name: 'currency', label: words.currency },
  { name: 'kind', label: words.kind },
  { name: 'journal', label: words.journal },
  { name: 'from', label: words.from, type: 'date' },
  { name: 'to', label: words.to, type: 'date' },
];

const PAYOUT_JOURNAL = /^payout\/(.+)\/[a-z-]+$/;

const COLUMNS: readonly Column<ListedLedgerLine>[] = [
  { label: words.time, cell: ({ at }) => <Moment at={at} /> },
  { label: words.merchant, cell: ({ merchantId }) => merchantId },
  { label: words.journal, cell: (line) => <Journal {...line} /> },
  { label: words.kind, cell: ({ kind }) => kind },
  { label: words.debit, cell: ({ debit }) => debit },
  { label: words.credit, cell: ({ credit }) => credit },
  { label: words.amount, cell: (line) => <Money {...line} />, isEnd: true },
  { label: words.reason, cell: ({ note }) => note },
];

function Journal({ merchantId, journal }: ListedLedgerLine) {
  const payoutId = PAYOUT_JOURNAL.exec(journal)?.[1];
  const name = <span className="code">{journal}</span>;
  return payoutId === undefined ? name : <PageLink to={payoutPath(merchantId, payoutId)}>{name}</PageLink>;
}

export default function MovementList() {
  return (
    <ListPage
      title={words.movements}
      empty={words.noMovements}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ merchantId, journal, line }) => `${merchantId}/${journal}/${line}`}
      pages={usePages('ledger.list', useFilters(FILTERS))}
    />
  );
}
