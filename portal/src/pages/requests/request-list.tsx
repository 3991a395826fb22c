/** The log of requests. */
import type { LoggedRequest } from '../../../../gateway/contract/endpoints/requests.ts';
import { usePages } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { requestPath } from '../../parts/links/paths.ts';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

const ENDPOINTS = ['payout_send', 'payout_status', 'balance', 'list', 'host2host', 'form'];

function filtersOf({ requests, payouts, period }: Words, isOperator: boolean): readonly Filter[] {
  return [
    { name: 'outcome', label: requests.outcome, options: ['accepted', 'rejected', 'unproven'] },
    { name: 'endpoint', label: requests.endpoint, options: ENDPOINTS },
    { name: 'reason', label: requests.reason },
    { name: 'subjectId', label: requests.about },
    ...between(requests.received, period),
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
  ];
}

function columnsOf({ requests, payouts }: Words, isOperator: boolean): readonly Column<LoggedRequest>[] {
  return [
    {
      label: requests.received,
      cell: ({ merchantId, requestId, receivedAt }) => (
        <PageLink to={requestPath(merchantId, requestId)}>
          <Moment at={receivedAt} />
        </PageLink>
      ),
    },
    ...(isOperator ? [merchantColumn(payouts.merchant)] : []),
    { label: requests.endpoint, cell: ({ endpoint }) => <span className="code">{endpoint}</span> },
    { label: requests.outcome, cell: ({ outcome }) => <StateBadge state={outcome} /> },
    { label: requests.reason, cell: (request) => <Reason request={request} /> },
    { label: requests.about, cell: ({ subjectId }) => subjectId },
    { label: requests.from, cell: ({ clientAddress }) => clientAddress },
  ];
}

/** An accepted request has no reason. */
function Reason({ request: { description, reason } }: { request: LoggedRequest }) {
  const text = description || reason;
  return text ? <span lang="en">{text}</span> : null;
}

export default function RequestList() {
  const words = useWords();
  const isOperator = useSession().merchantId === null;
  const filters = filtersOf(words, isOperator);
  return (
    <ListPage
      title={words.requests.title}
      empty={words.requests.empty}
      filters={filters}
      columns={columnsOf(words, isOperator)}
      keyOf={({ merchantId, requestId }) => `${merchantId}/${requestId}`}
      pathOf={({ merchantId, requestId }) => requestPath(merchantId, requestId)}
      pages={usePages('requests.list', useFilters(filters))}
      exported="requests"
    />
  );
}
