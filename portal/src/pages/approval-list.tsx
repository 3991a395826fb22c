import { Stack } from '@mantine/core';
import type { Proposal } from '../../../gateway/contract/proposals.ts';
import type { Answer } from '../api/client.ts';
import { usePages } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Panel } from '../parts/details.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { payoutPath, proposalPath } from '../parts/paths.ts';
import { type Column, Table } from '../parts/table.tsx';
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

function proposalColumns({ proposals, audit, reason }: Words): readonly Column<Proposal>[] {
  return [
    { label: audit.act, cell: ({ proposalId, act }) => <PageLink to={proposalPath(proposalId)}>{act}</PageLink> },
    { label: audit.object, cell: ({ object }) => object },
    { label: proposals.maker, cell: ({ maker }) => maker.name },
    { label: reason, cell: (proposal) => proposal.reason },
    { label: proposals.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  ];
}

export default function ApprovalList() {
  const words = useWords();
  return (
    <Stack>
      <ListPage
        title={words.navigation.approvals}
        empty={words.home.allWell}
        filters={[]}
        columns={columnsOf(words)}
        keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
        pathOf={({ merchantId, payoutId }) => payoutPath(merchantId, payoutId)}
        pages={usePages('payouts.awaiting', {})}
      />
      {useMay()('proposals:read') ? <Proposals /> : null}
    </Stack>
  );
}

/** Acts that a policy binds. Shown only where some wait. */
function Proposals() {
  const words = useWords();
  const pages = usePages('proposals.list', {});
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title={words.proposals.title}>
      <Table
        label={words.proposals.title}
        columns={proposalColumns(words)}
        items={items}
        keyOf={({ proposalId }) => proposalId}
      />
    </Panel>
  );
}
