import { Paper, Stack, Title } from '@mantine/core';
import { useReading } from '../api/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { balancesPath } from '../parts/paths.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { useWords } from '../words/words.ts';

export default function MerchantList() {
  const { merchants: words, payouts, navigation } = useWords();
  const merchants = useReading('merchants.list');
  const columns = [words.id, words.name, payouts.state, words.created, navigation.payouts];
  return (
    <Stack>
      <Title order={1} size="h3">
        {words.title}
      </Title>
      <Paper withBorder>
        <Shown of={merchants}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty>{words.empty}</Empty>
            ) : (
              <table className="list" aria-label={words.title}>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col">
                        {column}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ merchantId, name, state, createdAt }) => (
                    <tr key={merchantId}>
                      <td data-label={words.id}>
                        <PageLink to={balancesPath(merchantId)}>{merchantId}</PageLink>
                      </td>
                      <td data-label={words.name}>{name}</td>
                      <td data-label={payouts.state}>
                        <StateBadge state={state} />
                      </td>
                      <td data-label={words.created}>
                        <Moment at={createdAt} />
                      </td>
                      <td data-label={navigation.payouts}>
                        <PageLink to={`/payouts?merchantId=${merchantId}`}>{navigation.payouts}</PageLink>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Shown>
      </Paper>
    </Stack>
  );
}
