/** The list of merchants, and the creation of a merchant. */
import { Button, Group, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Merchant } from '../../../../gateway/contract/endpoints/merchants.ts';
import type { Permission } from '../../../../gateway/contract/permissions.ts';
import type { Answer } from '../../api/client.ts';
import { PAGE_ROWS, useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { DAY_MS, now } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { ShownOnce } from '../../parts/acts/shown-once.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { ButtonLink } from '../../parts/links/button-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { merchantPath, newPayoutPath, OPERATOR_MERCHANT, settingsPath, teamPath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { PaidAmounts } from '../../parts/money/paid-amounts.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

/** Reads by the key of one merchant, so that a list of many merchants needs no table scan. */
function Traded({ merchantId, flow, days }: { merchantId: string; flow: 'payout' | 'deposit'; days: 1 | 7 }) {
  const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
  const from = new Date(today - 6 * DAY_MS).toISOString();
  const volumes = useReading('volumes.list', { query: { merchantId, from, by: 'day' } }).data?.items ?? [];
  return (
    <PaidAmounts
      flow={flow}
      volumes={days === 7 ? volumes : volumes.filter(({ start }) => Date.parse(start) >= today)}
    />
  );
}

function Queue({ merchantId }: { merchantId: string }) {
  const query = { merchantId, state: 'pending', limit: PAGE_ROWS } as const;
  const page = useReading('payouts.list', { query }).data;
  if (!page || page.items.length === 0) return null;
  const path = `/payouts?${new URLSearchParams({ state: 'pending', merchantId })}` as const;
  return <PageLink to={path}>{page.next === null ? page.items.length : `${page.items.length}+`}</PageLink>;
}

function columnsOf(
  { merchants: words, payouts }: Words,
  may: (permission: Permission) => boolean,
): readonly Column<Merchant>[] {
  const traded = (label: string, flow: 'payout' | 'deposit', days: 1 | 7): Column<Merchant> => ({
    label,
    cell: ({ merchantId }) => <Traded {...{ merchantId, flow, days }} />,
    isEnd: true,
  });
  const { queue, paidToday, paidWeek, collectedWeek } = operatorPages.merchant;
  return [
    { label: words.id, cell: ({ merchantId }) => <PageLink to={merchantPath(merchantId)}>{merchantId}</PageLink> },
    { label: words.name, cell: ({ merchantId, name }) => <PageLink to={merchantPath(merchantId)}>{name}</PageLink> },
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    ...(may('ledger:read')
      ? [traded(paidToday, 'payout', 1), traded(paidWeek, 'payout', 7), traded(collectedWeek, 'deposit', 7)]
      : []),
    ...(may('payouts:read')
      ? [{ label: queue, cell: ({ merchantId }: Merchant) => <Queue merchantId={merchantId} />, isEnd: true }]
      : []),
    { label: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export default function MerchantList() {
  const words = useWords();
  const { title, empty } = words.merchants;
  const [created, setCreated] = useState<Created | null>(null);
  const [most, setMost] = useState(PAGE_ROWS);
  const may = useMay();
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{title}</PageTitle>
        {may('merchants:write') ? <CreateButton onDone={setCreated} /> : null}
      </Group>
      {created === null ? null : <Keys created={created} />}
      <Paper withBorder>
        <Shown of={useReading('merchants.list')}>
          {({ items }) => {
            const merchants = items.filter(({ merchantId }) => merchantId !== OPERATOR_MERCHANT);
            return (
              <>
                <Table
                  empty={<Empty>{empty}</Empty>}
                  label={title}
                  columns={columnsOf(words, may)}
                  items={merchants.slice(0, most)}
                  keyOf={({ merchantId }) => merchantId}
                />
                {merchants.length > most ? (
                  <Group justify="center" p="sm">
                    <Button variant="default" size="xs" onClick={() => setMost(most + PAGE_ROWS)}>
                      {words.more}
                    </Button>
                  </Group>
                ) : null}
              </>
            );
          }}
        </Shown>
      </Paper>
    </Stack>
  );
}

type Created = Answer<'merchants.create'>;

function CreateButton({ onDone }: { onDone: (created: Created) => void }) {
  const { newMerchant } = operatorPages;
  return (
    <ActButton
      act="merchants.create"
      params={{}}
      label={newMerchant.button}
      text={newMerchant.text}
      fields={[
        { name: 'name', label: newMerchant.name, isRequired: true },
        { name: 'siteUrl', label: newMerchant.siteUrl, placeholder: 'https://shop.example' },
        { name: 'processUrl', label: newMerchant.processUrl, placeholder: 'https://shop.example/callbacks' },
      ]}
      button={{ look: 'filled' }}
      onDone={onDone}
    />
  );
}

/** Both keys as one text for a configuration file. */
function Keys({ created: { merchant, key, formKey } }: { created: Created }) {
  const { newMerchant } = operatorPages;
  const { merchantId, name } = merchant;
  const secret = `merchant ${merchantId}\nkey ${key}\nform key ${formKey}`;
  return (
    <ShownOnce title={newMerchant.shownOnce(name)} secret={secret}>
      <ButtonLink to={settingsPath(merchantId)} name={newMerchant.settings}>
        {newMerchant.settings}
      </ButtonLink>
      <ButtonLink to={teamPath(merchantId)} name={newMerchant.people}>
        {newMerchant.people}
      </ButtonLink>
      <ButtonLink to={newPayoutPath(merchantId)} name={newMerchant.payout}>
        {newMerchant.payout}
      </ButtonLink>
    </ShownOnce>
  );
}
