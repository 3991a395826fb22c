import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Answer, fileAddress } from '../api/client.ts';
import { useReading } from '../api/queries.ts';
import { now } from '../browser.ts';
import { Chart } from '../parts/charts/chart.tsx';
import { Panel } from '../parts/details.tsx';
import { MerchantHead, useMerchantId } from '../parts/merchant-head.tsx';
import { Moment } from '../parts/moment.tsx';
import { grouped, Money } from '../parts/money.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { useWords } from '../words/words.ts';

export default function BalancesPage() {
  const { balances: words } = useWords();
  const merchantId = useMerchantId();
  const [at, setAt] = useState('');
  const query = at === '' ? {} : { at: new Date(at).toISOString() };
  const balances = useReading('balances.show', { params: { merchantId }, query });
  return (
    <Stack>
      <MerchantHead
        title={words.title}
        side={
          <TextInput
            size="xs"
            type="datetime-local"
            label={words.at}
            value={at}
            onChange={({ currentTarget }) => setAt(currentTarget.value)}
          />
        }
      />
      <Paper withBorder>
        <Shown of={balances}>{(answer) => <BalanceTable answer={answer} />}</Shown>
      </Paper>
      <History merchantId={merchantId} />
      <StatementForm
        merchantId={merchantId}
        currencies={balances.data?.balances.map(({ currency }) => currency) ?? []}
      />
    </Stack>
  );
}

function BalanceTable({ answer: { balances, at, isFinal } }: { answer: Answer<'balances.show'> }) {
  const { balances: words } = useWords();
  if (balances.length === 0) return <Empty>{words.empty}</Empty>;
  const columns = ['available', 'reserved', 'owed', 'total'] as const;
  return (
    <>
      <table className="list" aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.currency}</th>
            {columns.map((column) => (
              <th key={column} scope="col" data-end>
                {words[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {balances.map((balance) => (
            <tr key={balance.currency}>
              <td data-label={words.currency}>{balance.currency}</td>
              {columns.map((column) => (
                <td key={column} data-label={words[column]} data-end>
                  <Money amount={balance[column]} currency={balance.currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" className="muted" p="sm">
        <Moment at={at} /> · {isFinal ? words.final : words.notFinal}
      </Text>
    </>
  );
}

/** Each currency has an axis of its own, because their amounts do not compare. */
function History({ merchantId }: { merchantId: string }) {
  const { balances: words, charts } = useWords();
  const history = useReading('balances.history', { params: { merchantId }, query: { days: 30 } });
  return (
    <Shown of={history}>
      {({ items }) =>
        [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, days]) => (
          <Panel key={currency} title={`${charts.balances}, ${currency}`}>
            <Chart
              title={`${charts.balances}, ${currency}`}
              file={`balance-${currency}`}
              kind="line"
              labels={days.map(({ at }) => at.slice(0, 10))}
              series={(['total', 'available', 'reserved'] as const).map((name) => ({
                name: words[name],
                values: days.map((day) => Number(day[name])),
                texts: days.map((day) => grouped(day[name])),
              }))}
            />
          </Panel>
        ))
      }
    </Shown>
  );
}

/** A month of the statement, in UTC as the ledger closes its hours. */
function StatementForm({ merchantId, currencies }: { merchantId: string; currencies: readonly string[] }) {
  const { balances: words } = useWords();
  const [month, setMonth] = useState(() => now().toISOString().slice(0, 7));
  const [chosen, setCurrency] = useState('');
  const currency = chosen || currencies[0];
  if (currency === undefined) return null;
  const [year = 0, number = 1] = month.split('-').map(Number);
  const period = {
    from: new Date(Date.UTC(year, number - 1)).toISOString(),
    until: new Date(Date.UTC(year, number)).toISOString(),
  };
  return (
    <Panel title={words.statement}>
      <Group align="flex-end">
        <TextInput
          size="xs"
          type="month"
          label={words.month}
          value={month}
          onChange={({ currentTarget }) => setMonth(currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label={words.currency}
          data={[...currencies]}
          value={currency}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
        />
        {['pdf', 'xlsx', 'csv', 'json'].map((format) => (
          <Button
            key={format}
            component="a"
            download
            size="xs"
            variant="default"
            href={fileAddress('statements.show', { merchantId }, { currency, format, ...period })}
          >
            {words.download} {format.toUpperCase()}
          </Button>
        ))}
      </Group>
    </Panel>
  );
}
