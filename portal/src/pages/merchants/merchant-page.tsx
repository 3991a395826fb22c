/** A merchant's overview: its success rate, its money and debts, and its backlog. */
import { Grid, Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { usePolling, useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../parts/elements/elements.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { balancesPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { MerchantHead, useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';
import { Figures, PendingPayouts } from '../home/home-page.tsx';
import { PauseButton } from '../rails/pause-button.tsx';

const words = operatorPages.merchant;

type Record = Answer<'merchants.show'>;
type Balance = Record['balances'][number];

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
      {may('rails:read') ? <Paused merchantId={merchantId} /> : null}
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title={words.money} side={<PageLink to={balancesPath(merchantId)}>{words.balances}</PageLink>}>
            <Shown of={merchant}>{(record) => <Balances balances={record.balances} />}</Shown>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {may('payouts:read') ? <PendingPayouts of={{ merchantId }} /> : null}
        </Grid.Col>
      </Grid>
      {may('ledger:read') ? <Figures title={words.payments} merchantId={merchantId} isPart /> : null}
    </Stack>
  );
}

/** Shown while its payouts wait until the operator resumes them. */
function Paused({ merchantId }: { merchantId: string }) {
  const pause = usePolling('pauses.list').data?.items.find(
    ({ scope, target }) => scope === 'merchant' && target === merchantId,
  );
  if (!pause) return null;
  return (
    <Notice color="orange" role="status">
      <div className="row apart">
        <p className="small">
          <strong>
            {words.paused} <Moment at={pause.since} isShort />
          </strong>{' '}
          · {pause.reason}
        </p>
        <PauseButton scope="merchant" target={merchantId} isPaused />
      </div>
    </Notice>
  );
}

function Balances({ balances }: { balances: readonly Balance[] }) {
  const { balances: names } = useWords();
  const column = (name: 'available' | 'reserved' | 'owed'): Column<Balance> => ({
    label: names[name],
    cell: (balance) => <Money amount={balance[name]} currency={balance.currency} />,
    isEnd: true,
  });
  return (
    <Table
      empty={names.empty}
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
