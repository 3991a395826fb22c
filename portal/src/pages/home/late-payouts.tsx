/** The payouts that take longer than usual on their rail, each with the reason. Without one, nothing is shown. */
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath } from '../../parts/links/paths.ts';
import { Money } from '../../parts/money/money.tsx';
import { Since } from '../../parts/time/since.tsx';
import { loadEnglish } from '../../words/en/loaded-english.ts';
import { useWords } from '../../words/words.ts';

// The first page has no words of payments.
await loadEnglish();

type Late = Answer<'payouts.late'>['items'][number];

export default function LatePayouts({ of }: { of: { readonly merchantId?: string } }) {
  const { payment, payouts } = useWords();
  const isOfMany = useSession().merchantId === null && of.merchantId === undefined;
  const items = useReading('payouts.late', { query: of }).data?.items ?? [];
  if (items.length === 0) return null;
  const accepted = Math.max(...items.map(({ acceptedAt }) => Date.parse(acceptedAt)));
  const period = { state: 'pending', to: new Date(accepted + 1).toISOString(), ...of };
  const columns: readonly Column<Late>[] = [
    {
      label: payouts.id,
      cell: ({ merchantId, payoutId }) => <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>,
    },
    ...(isOfMany ? [merchantColumn(payouts.merchant)] : []),
    { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
    { label: payment.why, cell: ({ pending }) => pending && (payment.reasons[pending.reason] ?? pending.waitsFor) },
    { label: payment.lateBy, cell: ({ lateSince }) => <Since at={lateSince} />, isEnd: true },
  ];
  return (
    <Panel
      title={payment.lateTitle}
      side={<PageLink to={`/payouts?${new URLSearchParams(period)}`}>{payment.lateList}</PageLink>}
    >
      <Table
        label={payment.lateTitle}
        columns={columns}
        items={items}
        keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
      />
      <p className="tiny muted">{payment.lateHint}</p>
    </Panel>
  );
}
