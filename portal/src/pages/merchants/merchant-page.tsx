/** The overview of a merchant: the success of its payments, its money and debts, and its backlog. */
import { Grid, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../parts/details.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { balancesPath, payoutPath } from '../../parts/links/paths.ts';
import { MerchantHead, useMerchantId } from '../../parts/merchant-head.tsx';
import { Money } from '../../parts/money.tsx';
import { Since } from '../../parts/since.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';
import { Figures } from '../home/home-page.tsx';

const words = operatorPages.merchant;

type Record = Answer<'merchants.show'>;
type Balance = Record['balances'][number];
type Payout = Answer<'payouts.list'>['items'][number];

export default function MerchantPage() {
  const may = useMay();
  const merchantId = useMerchantId();
  const merchant = useReading('merchants.show', { params: { merchantId } });
  return (
    <Stack>
      <MerchantHead
        title={merchant.data?.name || merchantId}
        side={merchant.data ? <StateBadge state={merchant.data.state} /> : null}
      />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title={words.money} side={<PageLink to={balancesPath(merchantId)}>{words.balances}</PageLink>}>
            <Shown of={merchant}>{(record) => <Balances balances={record.balances} />}</Shown>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {may('payouts:read') ? <Pending merchantId={merchantId} /> : null}
        </Grid.Col>
      </Grid>
      {may('ledger:read') ? <Figures title={words.payments} merchantId={merchantId} isPart /> : null}
    </Stack>
  );
}

function Balances({ balances }: { balances: readonly Balance[] }) {
  const { balances: names } = useWords();
  if (balances.length === 0)
    return (
      <Text size="sm" className="muted">
        {names.empty}
      </Text>
    );
  const column = (name: 'available' | 'reserved' | 'owed'): Column<Balance> => ({
    label: names[name],
    cell: (balance) => <Money amount={balance[name]} currency={balance.currency} />,
    isEnd: true,
  });
  return (
    <Table
      label={words.money}
      columns={[
        { label: names.currency, cell: ({ currency }) => currency },
        column('available'),
        column('reserved'),
        column('owed'),
      ]}
      items={balances}
      keyOf={({ currency }) => currency}
    />
  );
}

function Pending({ merchantId }: { merchantId: string }) {
  const { home, payouts } = useWords();
  const pending = useReading('payouts.list', { query: { merchantId, state: 'pending', limit: 6 } });
  const columns: readonly Column<Payout>[] = [
    {
      label: payouts.id,
      cell: ({ payoutId }) => <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>,
    },
    { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
    { label: payouts.accepted, cell: ({ acceptedAt }) => <Since at={acceptedAt} />, isEnd: true },
  ];
  return (
    <Panel
      title={home.pending}
      side={
        <PageLink to={`/payouts?${new URLSearchParams({ merchantId, state: 'pending' })}`}>{home.allPending}</PageLink>
      }
    >
      <Shown of={pending}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" className="muted">
              {home.noPending}
            </Text>
          ) : (
            <Table label={home.pending} columns={columns} items={items} keyOf={({ payoutId }) => payoutId} />
          )
        }
      </Shown>
    </Panel>
  );
}
