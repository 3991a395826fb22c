import { Paper, Stack, Title } from '@mantine/core';
import type { Merchant } from '../../../gateway/contract/merchants.ts';
import { useReading } from '../api/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { settingsPath } from '../parts/paths.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/words.ts';

function columnsOf({ merchants: words, payouts }: Words): readonly Column<Merchant>[] {
  return [
    { label: words.id, cell: ({ merchantId }) => <PageLink to={settingsPath(merchantId)}>{merchantId}</PageLink> },
    { label: words.name, cell: ({ name }) => name },
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    { label: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export default function MerchantList() {
  const words = useWords();
  const { title, empty } = words.merchants;
  return (
    <Stack>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Paper withBorder>
        <Shown of={useReading('merchants.list')}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty>{empty}</Empty>
            ) : (
              <Table label={title} columns={columnsOf(words)} items={items} keyOf={({ merchantId }) => merchantId} />
            )
          }
        </Shown>
      </Paper>
    </Stack>
  );
}
