import type { Answer } from '../api/client.ts';
import { usePages } from '../api/queries.ts';
import { ListPage } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { payoutPath } from '../parts/paths.ts';
import type { Column } from '../parts/table.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/words.ts';

type AwaitingPayout = Answer<'payouts.awaiting'>['items'][number];

function columnsOf({ payouts }: Words): readonly Column<AwaitingPayout>[] {
  return [
    {
      label: payouts.id,
      cell: ({ merchantId, payoutId }) => <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>,
    },
    { label: payouts.merchant, cell: ({ merchantId }) => merchantId },
    { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
    { label: payouts.to, cell: ({ account }) => account },
    { label: payouts.approveBy, cell: ({ approveBy }) => <Moment at={approveBy} /> },
  ];
}

export default function ApprovalList() {
  const words = useWords();
  return (
    <ListPage
      title={words.navigation.approvals}
      empty={words.home.allWell}
      filters={[]}
      columns={columnsOf(words)}
      keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
      pathOf={({ merchantId, payoutId }) => payoutPath(merchantId, payoutId)}
      pages={usePages('payouts.awaiting', {})}
    />
  );
}
