/** The results of the rail's payments on each of the last seven days. */
import { useState } from 'react';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { useReading } from '../../api/queries.ts';
import { now as currentTime, DAY_MS } from '../../browser.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { PaidAmounts } from '../../parts/money/paid-amounts.tsx';
import { atMost, percent } from '../../parts/time/duration.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { figuresOf } from './rail-state.ts';

const words = operatorPages.rails;

interface DayFigures {
  readonly day: string;
  readonly volumes: readonly Volume[];
}

/** Shows the newest day first. */
export function ResultsPanel({ rail: { name } }: { rail: Rail }) {
  const [from] = useState(() => new Date((Math.floor(currentTime().getTime() / DAY_MS) - 6) * DAY_MS).toISOString());
  const volumes = useReading('volumes.list', { query: { from, by: 'day' } });
  const buckets = volumes.data?.waitBucketsMs ?? [];
  const figures = ({ volumes: its }: DayFigures) => figuresOf(name, its, buckets);
  const columns: readonly Column<DayFigures>[] = [
    { label: words.day, cell: ({ day }) => <time dateTime={day}>{day}</time> },
    { label: words.results, cell: (each) => figures(each).results, isEnd: true },
    { label: words.successRate, cell: (each) => percent(figures(each).successRate), isEnd: true },
    { label: words.medianWait, cell: (each) => atMost(figures(each).medianMs), isEnd: true },
    {
      label: words.paid,
      cell: ({ volumes: its }) => <PaidAmounts flow="payout" volumes={its} />,
      isEnd: true,
    },
    {
      label: words.collectedThatDay,
      cell: ({ volumes: its }) => <PaidAmounts flow="deposit" volumes={its} />,
      isEnd: true,
    },
  ];
  return (
    <Panel title={words.week}>
      <Shown of={volumes}>
        {({ items }) => {
          const days = [
            ...Map.groupBy(
              items.filter(({ rail }) => rail === name),
              ({ start }) => start.slice(0, 10),
            ),
          ]
            .map(([day, its]) => ({ day, volumes: its }))
            .sort((one, other) => other.day.localeCompare(one.day));
          return (
            <Table empty={words.noResults} label={words.week} columns={columns} items={days} keyOf={({ day }) => day} />
          );
        }}
      </Shown>
    </Panel>
  );
}
