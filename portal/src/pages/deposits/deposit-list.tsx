/** The list of deposits. */
import type { Deposit } from '../../../../gateway/contract/endpoints/deposits.ts';
import { DEPOSIT_STATES } from '../../../../gateway/contract/texts/states.ts';
import { usePages } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { depositPath } from '../../parts/links/paths.ts';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

function filtersOf(
  { deposits, payouts, balances, paymentTypes, period }: Words,
  isOperator: boolean,
): readonly Filter[] {
  return [
    { name: 'state', label: payouts.state, options: DEPOSIT_STATES },
    { name: 'failReason', label: deposits.failReason, options: ['declined', 'cancelled', 'expired', 'displaced'] },
    { name: 'paymentType', label: deposits.paymentType, options: Object.keys(paymentTypes), names: paymentTypes },
    { name: 'currency', label: balances.currency },
    { name: 'rail', label: payouts.rail },
    { name: 'payTo', label: deposits.payTo },
    ...between(deposits.created, period),
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
  ];
}

function columnsOf({ deposits, payouts, paymentTypes }: Words, isOperator: boolean): readonly Column<Deposit>[] {
  const merchant = merchantColumn(payouts.merchant);
  return [
    {
      label: deposits.order,
      cell: ({ merchantId, orderId }) => <PageLink to={depositPath(merchantId, orderId)}>{orderId}</PageLink>,
    },
    ...(isOperator ? [merchant] : []),
    { label: payouts.amount, cell: (deposit) => <Money {...deposit} />, isEnd: true },
    { label: deposits.received, cell: (deposit) => <Money {...deposit} amount={deposit.received} />, isEnd: true },
    { label: payouts.state, cell: ({ state, failReason }) => <StateBadge state={state} because={failReason} /> },
    { label: deposits.paymentType, cell: ({ paymentType }) => paymentTypes[paymentType ?? ''] ?? paymentType },
    { label: deposits.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export default function DepositList() {
  const words = useWords();
  const isOperator = useSession().merchantId === null;
  const filters = filtersOf(words, isOperator);
  return (
    <ListPage
      title={words.deposits.title}
      empty={words.deposits.empty}
      filters={filters}
      columns={columnsOf(words, isOperator)}
      keyOf={({ merchantId, transactionId }) => `${merchantId}/${transactionId}`}
      pathOf={({ merchantId, orderId }) => depositPath(merchantId, orderId)}
      pages={usePages('deposits.list', useFilters(filters))}
      exported="deposits"
    />
  );
}
