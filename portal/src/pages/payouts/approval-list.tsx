/** The payouts that wait for approval. */
import { Stack } from '@mantine/core';
import type { Proposal } from '../../../../gateway/contract/endpoints/proposals.ts';
import type { Answer } from '../../api/client.ts';
import { usePages } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { ObjectLink } from '../../parts/links/object-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath, proposalPath } from '../../parts/links/paths.ts';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

type AwaitingPayout = Answer<'payouts.awaiting'>['items'][number];

function columnsOf({ payouts, payoutMethods }: Words, isOperator: boolean): readonly Column<AwaitingPayout>[] {
  return [
    {
      label: payouts.id,
      cell: ({ merchantId, payoutId }) => <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>,
    },
    ...(isOperator ? [merchantColumn(payouts.merchant)] : []),
    { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
    { label: payouts.to, cell: ({ account }) => account },
    { label: payouts.method, cell: ({ method }) => method && payoutMethods[method] },
    { label: payouts.accepted, cell: ({ acceptedAt }) => <Moment at={acceptedAt} /> },
    { label: payouts.approveBy, cell: ({ approveBy }) => <Moment at={approveBy} /> },
  ];
}

function proposalColumns({ proposals, audit, reason, acts }: Words): readonly Column<Proposal>[] {
  return [
    {
      label: audit.act,
      cell: ({ proposalId, act }) => <PageLink to={proposalPath(proposalId)}>{acts[act] ?? act}</PageLink>,
    },
    { label: audit.object, cell: ({ object }) => <ObjectLink object={object} /> },
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
        columns={columnsOf(words, useSession().merchantId === null)}
        keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
        pathOf={({ merchantId, payoutId }) => payoutPath(merchantId, payoutId)}
        pages={usePages('payouts.awaiting', {})}
      />
      {useMay()('proposals:read') ? <Proposals /> : null}
    </Stack>
  );
}

/** Actions that a policy binds: those that wait for this user, and those that this user proposed. */
function Proposals() {
  const words = useWords();
  const { person } = useSession();
  const pages = usePages('proposals.list', {});
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const isOwn = ({ maker }: Proposal) => maker.kind === 'person' && maker.id === person.personId;
  const groups = [
    { title: words.proposals.title, items: items.filter((each) => !isOwn(each)) },
    { title: words.proposals.own, items: items.filter(isOwn) },
  ];
  return groups
    .filter((group) => group.items.length > 0)
    .map((group) => (
      <Panel key={group.title} title={group.title}>
        <Table
          label={group.title}
          columns={proposalColumns(words)}
          items={group.items}
          keyOf={({ proposalId }) => proposalId}
        />
      </Panel>
    ));
}
