/** The movements between the ledger's accounts, newest first. They explain a balance. */
import type { ListedLedgerLine } from '../../../../gateway/contract/endpoints/lists.ts';
import { usePages } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import type { Column } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath } from '../../parts/links/paths.ts';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { accountName } from '../../parts/names/account-name.ts';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

/** The operator can also filter by accounts at banks. */
function filtersOf(words: Words, isOperator: boolean): readonly Filter[] {
  const { movements, payouts, balances, audit, payment, transferKinds, period } = words;
  const accounts = { options: Object.keys(payment.accounts), names: payment.accounts };
  return [
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
    { name: 'account', label: movements.account, ...(isOperator ? {} : accounts) },
    { name: 'currency', label: balances.currency },
    { name: 'kind', label: movements.kind, options: Object.keys(transferKinds), names: transferKinds },
    { name: 'journal', label: movements.journal },
    ...between(audit.at, period),
  ];
}

/** If `account` holds the merchant’s money, amounts have the sign that they have for it. */
function columnsOf(words: Words, isOperator: boolean, account = ''): readonly Column<ListedLedgerLine>[] {
  const { movements, payouts, audit, transferKinds } = words;
  return [
    { label: audit.at, cell: ({ at }) => <Moment at={at} /> },
    ...(isOperator ? [merchantColumn(payouts.merchant)] : []),
    { label: movements.journal, cell: (line) => <Journal {...line} /> },
    { label: movements.kind, cell: ({ kind }) => transferKinds[kind] ?? kind },
    { label: movements.debit, cell: ({ debit }) => accountName(debit, words) },
    { label: movements.credit, cell: ({ credit }) => accountName(credit, words) },
    {
      label: payouts.amount,
      cell: (line) => <Money {...line} amount={signOf(line, account) + line.amount} />,
      isEnd: true,
    },
    { label: movements.note, cell: ({ note }) => note },
  ];
}

function signOf({ debit }: ListedLedgerLine, account: string): string {
  if (account !== 'available' && account !== 'reserved') return '';
  return debit === account ? '−' : '+';
}

const PAYOUT_JOURNAL = /^payout\/(.+)\/[a-z-]+$/;

function Journal({ merchantId, journal }: ListedLedgerLine) {
  const payoutId = PAYOUT_JOURNAL.exec(journal)?.[1];
  const name = <span className="code">{journal}</span>;
  return payoutId === undefined ? name : <PageLink to={payoutPath(merchantId, payoutId)}>{name}</PageLink>;
}

export default function MovementList() {
  const words = useWords();
  const isOperator = useSession().merchantId === null;
  const filters = filtersOf(words, isOperator);
  const query = useFilters(filters);
  return (
    <ListPage
      title={words.movements.title}
      empty={words.movements.empty}
      filters={filters}
      columns={columnsOf(words, isOperator, query['account'])}
      keyOf={({ merchantId, journal, line }) => `${merchantId}/${journal}/${line}`}
      pages={usePages('ledger.list', query)}
      exported="ledger"
    />
  );
}
