import { Group, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Merchant } from '../../../../gateway/contract/endpoints/merchants.ts';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ButtonLink } from '../../parts/links/button-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { merchantPath, newPayoutPath, OPERATOR_MERCHANT, settingsPath, teamPath } from '../../parts/links/paths.ts';
import { Moment } from '../../parts/moment.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Words } from '../../words/en/en.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

function columnsOf({ merchants: words, payouts }: Words): readonly Column<Merchant>[] {
  return [
    { label: words.id, cell: ({ merchantId }) => <PageLink to={merchantPath(merchantId)}>{merchantId}</PageLink> },
    { label: words.name, cell: ({ merchantId, name }) => <PageLink to={merchantPath(merchantId)}>{name}</PageLink> },
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    { label: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export default function MerchantList() {
  const words = useWords();
  const { title, empty } = words.merchants;
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{title}</PageTitle>
        {useMay()('merchants:write') ? <CreateButton onDone={setCreated} /> : null}
      </Group>
      {created === null ? null : <Keys created={created} />}
      <Paper withBorder>
        <Shown of={useReading('merchants.list')}>
          {({ items }) => {
            const merchants = items.filter(({ merchantId }) => merchantId !== OPERATOR_MERCHANT);
            return merchants.length === 0 ? (
              <Empty>{empty}</Empty>
            ) : (
              <Table
                label={title}
                columns={columnsOf(words)}
                items={merchants}
                keyOf={({ merchantId }) => merchantId}
              />
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
      button={{ variant: 'filled' }}
      onDone={onDone}
    />
  );
}

/** Both keys in one text, as a configuration file contains them. */
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
