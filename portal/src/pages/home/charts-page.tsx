/** Charts of volumes, success rates and times to the final state, each with its table and CSV. */
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { useReading } from '../../api/queries.ts';
import { now as currentTime, DAY_MS } from '../../browser.ts';
import { groupsOf, type Split } from '../../parts/charts/breakdown.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { setFilters, useAddressFilters } from '../../parts/links/address.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { currenciesOf, perDay, successRateOf } from '../../parts/money/volumes.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { percent } from '../../parts/time/duration.ts';
import { useWords } from '../../words/words.ts';
import { Waits } from './waits.tsx';

const RANGES = ['7', '14', '30', '90'];

/** Returns the selections in the URL. */
function useChoice() {
  const search = useAddressFilters();
  return {
    range: RANGES.includes(search['days'] ?? '') ? Number(search['days']) : 30,
    split: (search['by'] === 'method' ? 'method' : 'rail') satisfies Split as Split,
    currency: search['currency'] ?? '',
    choose: (change: Readonly<Record<string, string>>) => setFilters({ ...search, ...change }),
  };
}

export default function ChartsPage() {
  const { charts } = useWords();
  const { range, split, currency: chosen, choose } = useChoice();
  const [today] = useState(() => Math.floor(currentTime().getTime() / DAY_MS));
  const days = Array.from({ length: range }, (_, index) =>
    new Date((today - range + 1 + index) * DAY_MS).toISOString().slice(0, 10),
  );
  const volumes = useReading('volumes.list', { query: { from: `${days[0]}T00:00:00.000Z`, by: 'day' } });
  const currencies = currenciesOf(volumes.data?.items ?? []);
  const currency = chosen || (currencies[0] ?? '');
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <PageTitle>{charts.title}</PageTitle>
        <Group gap="xs">
          <Choice
            label={charts.currency}
            value={currency}
            options={currencies.map((each) => [each, each])}
            choose={(value) => choose({ currency: value })}
          />
          <Choice
            label={charts.split}
            value={split}
            options={Object.entries(charts.splits)}
            choose={(value) => choose({ by: value })}
          />
          <Choice
            label={charts.range}
            value={String(range)}
            options={RANGES.map((each) => [each, charts.days(each)])}
            choose={(value) => choose({ days: value })}
          />
        </Group>
      </Group>
      <Shown of={volumes}>
        {({ items, waitBucketsMs }) => (
          <Charts
            {...{ days, split, currency, bucketsMs: waitBucketsMs }}
            volumes={items.filter((volume) => volume.currency === currency)}
          />
        )}
      </Shown>
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  if (options.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={options.map(([option, name]) => ({ value: option, label: name }))}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

interface ChartsProps {
  readonly volumes: readonly Volume[];
  readonly days: readonly string[];
  readonly split: Split;
  readonly currency: string;
  readonly bucketsMs: readonly number[];
}

function Charts({ volumes, days, split, currency, bucketsMs }: ChartsProps) {
  const { charts, payoutMethods, paymentTypes } = useWords();
  const payouts = volumes.filter(
    ({ flow, state }) => flow === 'payout' && (state === 'success' || state === 'blocked'),
  );
  const deposits = volumes.filter(({ flow, state }) => flow === 'deposit' && state === 'success');
  const nameOf = (key: string | null) =>
    key === null ? charts.other : (payoutMethods[key] ?? paymentTypes[key] ?? key) || charts.none;
  const groups = groupsOf(payouts, split);
  if (groups.length === 0 && deposits.length === 0) return <Text className="muted">{charts.nothing}</Text>;
  const paid = (flow: 'payout' | 'deposit', its: readonly Volume[]) => perDay(its, flow, currency, days);
  const seriesOf = (flow: 'payout' | 'deposit', its: ReturnType<typeof groupsOf>) =>
    its.map(({ key, volumes: own }) => {
      const amounts = paid(flow, own);
      return { name: nameOf(key), values: amounts.map(Number), texts: amounts.map(grouped) };
    });
  const rates = groups.map(({ key, volumes: own }) => {
    const values = days.map((day) =>
      successRateOf(
        own.filter(({ start }) => start.startsWith(day)),
        currency,
      ),
    );
    return { name: nameOf(key), values, texts: values.map(percent) };
  });
  const panels = [
    { name: charts.paidOut, series: seriesOf('payout', groups), file: 'paid-out' },
    { name: charts.paidIn, series: seriesOf('deposit', groupsOf(deposits, split)), file: 'paid-in' },
    { name: charts.successRate, series: rates, file: 'success', highest: 100, unit: ' %' },
  ].filter(({ series }) => series.length > 0);
  return (
    <>
      {panels.map(({ name, file, ...chart }) => (
        <Panel key={file} title={chart.unit === undefined ? `${name}, ${currency}` : name}>
          <Chart {...chart} labels={days} title={name} file={`${file}-${currency}`} kind="line" />
        </Panel>
      ))}
      {groups.length === 0 ? null : (
        <Panel title={charts.waits}>
          <Waits
            by={charts.splits[split]}
            groups={groups.map(({ key, volumes: own }) => ({ name: nameOf(key), volumes: own }))}
            bucketsMs={bucketsMs}
          />
        </Panel>
      )}
    </>
  );
}
