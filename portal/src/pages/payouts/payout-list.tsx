/** The list of payouts, with a cancellation of all that match the filter. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Payout } from '../../../../gateway/contract/endpoints/payouts.ts';
import { BLOCKED_REASONS } from '../../../../gateway/contract/texts/blocked-reasons.ts';
import { PAYOUT_STATES } from '../../../../gateway/contract/texts/states.ts';
import { call, rehearse } from '../../api/client.ts';
import { usePages } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { toRoute } from '../../parts/links/address.ts';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath } from '../../parts/links/paths.ts';
import { BulkAct } from '../../parts/lists/bulk-act.tsx';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

function filtersOf(
  { payouts, payment, balances, payoutMethods, period }: Words,
  isOperator: boolean,
): readonly Filter[] {
  return [
    { name: 'state', label: payouts.state, options: PAYOUT_STATES },
    { name: 'blockedReason', label: payouts.blockedReason, options: BLOCKED_REASONS },
    { name: 'purpose', label: payouts.purpose, options: ['payout', 'return', 'refund'] },
    { name: 'method', label: payouts.method, options: Object.keys(payoutMethods), names: payoutMethods },
    { name: 'currency', label: balances.currency },
    { name: 'rail', label: payouts.rail },
    { name: 'account', label: payouts.to },
    { name: 'batchId', label: payment.relatedKinds.batch },
    ...between(payouts.accepted, period),
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
  ];
}

function columnsOf({ payouts }: Words, isOperator: boolean): readonly Column<Payout>[] {
  const merchant = merchantColumn(payouts.merchant);
  return [
    {
      label: payouts.id,
      cell: ({ merchantId, payoutId }) => <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>,
    },
    ...(isOperator ? [merchant] : []),
    { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
    { label: payouts.state, cell: ({ state, blockedReason }) => <StateBadge state={state} because={blockedReason} /> },
    { label: payouts.to, cell: ({ account }) => account },
    { label: payouts.rail, cell: ({ rail }) => <span className="unbroken">{rail}</span> },
    { label: payouts.accepted, cell: ({ acceptedAt }) => <Moment at={acceptedAt} /> },
  ];
}

export default function PayoutList() {
  const words = useWords();
  const isOperator = useSession().merchantId === null;
  const may = useMay();
  const filters = filtersOf(words, isOperator);
  const query = useFilters(filters);
  return (
    <ListPage
      title={words.payouts.title}
      empty={words.payouts.empty}
      filters={filters}
      columns={columnsOf(words, isOperator)}
      keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
      pathOf={({ merchantId, payoutId }) => payoutPath(merchantId, payoutId)}
      pages={usePages('payouts.list', query)}
      exported="payouts"
      side={
        <>
          {may('payouts:write') ? (
            <BulkAct
              label={words.bulk.cancel}
              text={words.bulk.cancelText}
              needsReason
              read={(after) =>
                call('payouts.list', {
                  query: { ...query, state: 'pending', limit: 100, ...(after ? { after } : {}) } as never,
                })
              }
              preview={async ({ merchantId, payoutId }) => {
                const body = { reason: words.bulk.cancel };
                const { problem } = await rehearse('payouts.cancel', { params: { merchantId, payoutId }, body });
                return problem?.detail ?? null;
              }}
              perform={({ merchantId, payoutId }, idempotencyKey, reason) =>
                call('payouts.cancel', { params: { merchantId, payoutId }, body: { reason }, idempotencyKey })
              }
              columns={columnsOf(words, isOperator).slice(0, isOperator ? 3 : 2)}
              keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
            />
          ) : null}
          {may('payouts:create') && !isOperator ? (
            <Button component={Link} to={toRoute('/new-payout')} size="xs">
              {words.newPayout.title}
            </Button>
          ) : null}
        </>
      }
    />
  );
}
