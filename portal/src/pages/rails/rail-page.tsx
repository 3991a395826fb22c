import { Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import type { Rail, RailFloat } from '../../../../gateway/contract/endpoints/rails.ts';
import { usePolling, useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { now as currentTime } from '../../browser.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { daysOf, forecastOf } from '../../parts/charts/forecast.ts';
import { Crumbs } from '../../parts/crumbs.tsx';
import { Details, Panel } from '../../parts/details.tsx';
import { atMost, percent } from '../../parts/duration.ts';
import { PageLink } from '../../parts/links/page-link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { grouped, Money } from '../../parts/money.tsx';
import { methodName } from '../../parts/names/method-name.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { PaidAmounts } from '../../parts/paid-amounts.tsx';
import { PauseButton } from '../../parts/pause-button.tsx';
import { figuresOf, inFlightOf, railStateOf } from '../../parts/rail-state.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { RailTest } from './rail-setups.tsx';

const words = operatorPages.rails;
const DAY_MS = 86_400_000;

export default function RailPage() {
  const { rail: name = '' } = useParams({ strict: false }) as { rail?: string };
  const may = useMay();
  return (
    <Shown of={usePolling('rails.show', { params: { rail: name } })} isPage>
      {(rail) => (
        <Stack>
          <Headline rail={rail} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                {may('ledger:read') ? <Results rail={rail} /> : null}
                <FloatPanel rail={rail} />
                {may('ledger:read') ? <Forecasts rail={rail} /> : null}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack>
                <Facts rail={rail} />
                <RailTest rail={name} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ rail }: { rail: Rail }) {
  const { name, pause } = rail;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Crumbs to="/rails" title={words.title} name={name} />
        <Group gap="sm">
          <PageTitle>{name}</PageTitle>
          <StateBadge state={railStateOf(rail)} />
        </Group>
        <Group gap="md" mt={4}>
          <PageLink to={`/payouts?rail=${name}&state=pending`}>{words.pending}</PageLink>
          <PageLink to={`/differences?rail=${name}`}>{words.reconciliation}</PageLink>
          <PageLink to="/routes">{words.routes}</PageLink>
        </Group>
        {pause === null ? null : (
          <Text size="sm" mt={4}>
            {pause.reason} · <Moment at={pause.since} />
          </Text>
        )}
      </div>
      <PauseButton scope="rail" target={name} isPaused={pause !== null} />
    </Group>
  );
}

function Facts({ rail }: { rail: Rail }) {
  const { methods, purposes, notifies, simulated, workers, hours, name } = rail;
  const may = useMay();
  return (
    <Details
      title={words.facts}
      rows={[
        { name: words.inFlight, value: inFlightOf(rail) },
        {
          name: words.workers,
          value:
            workers.length === 0 ? words.noWorker : workers.map(({ breaker }) => words.breakers[breaker]).join(', '),
        },
        { name: words.methods, value: methods.map(methodName).join(', ') || words.none },
        { name: words.purposes, value: purposes.join(', ') || words.none },
        {
          name: words.hours,
          value: (
            <Group gap="xs">
              {hours ?? words.alwaysOpen}
              {may('rails:write') ? <SetHours rail={name} hours={hours} /> : null}
            </Group>
          ),
        },
        { name: words.notifies, value: notifies ? words.yes : words.no },
        { name: words.simulated, value: simulated ? words.yes : words.no },
      ]}
    />
  );
}

function SetHours({ rail, hours }: { rail: string; hours: string | null }) {
  return (
    <ActButton
      act="rails.setHours"
      params={{ rail }}
      label={words.change}
      name={`${words.change}: ${words.hours}`}
      text={words.hoursText}
      fields={[{ name: 'hours', label: words.hours, hint: words.hoursHint, initial: hours ?? '' }]}
      bodyOf={({ hours: text = '' }) => ({ hours: text === '' ? null : text })}
      button={{ size: 'compact-xs' }}
    />
  );
}

function FloatPanel({ rail: { name, floats } }: { rail: Rail }) {
  const may = useMay();
  const columns: readonly Column<RailFloat>[] = [
    {
      label: words.balance,
      cell: ({ amount, currency, isLow }) => (
        <span className={isLow ? 'late' : undefined}>
          {amount === null ? words.neverRead : <Money amount={amount} currency={currency} />}
        </span>
      ),
      isEnd: true,
    },
    { label: words.readAt, cell: ({ readAt }) => <Moment at={readAt} /> },
    {
      label: words.threshold,
      cell: ({ threshold, currency }) =>
        threshold === null ? (
          <span className="muted">{words.noAlert}</span>
        ) : (
          <Money amount={threshold} currency={currency} />
        ),
      isEnd: true,
    },
    ...(may('rails:write')
      ? [
          {
            label: words.act,
            cell: ({ currency, threshold }: RailFloat) => (
              <ActButton
                act="rails.setThreshold"
                params={{ rail: name, currency }}
                label={words.change}
                name={`${words.change}: ${words.threshold} ${currency}`}
                text={words.thresholdText}
                fields={[{ name: 'threshold', label: `${words.threshold}, ${currency}`, initial: threshold ?? '' }]}
                bodyOf={({ threshold: text = '' }) => ({ threshold: text === '' ? null : text })}
                button={{ size: 'compact-xs' }}
              />
            ),
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Panel title={words.floats}>
      <Table
        empty={words.noFloat}
        label={words.floats}
        columns={columns}
        items={floats}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

function Forecasts({ rail: { name, floats } }: { rail: Rail }) {
  const [now] = useState(() => currentTime().getTime());
  const from = new Date(Math.floor(now / DAY_MS) * DAY_MS - 7 * DAY_MS).toISOString();
  const known = floats.flatMap(({ amount, ...float }) => (amount === null ? [] : [{ ...float, amount }]));
  const volumes = useReading('volumes.list', { query: { from, by: 'hour' } }, known.length > 0);
  if (known.length === 0) return null;
  return (
    <Shown of={volumes}>
      {({ items }) => {
        const own = items.filter(({ rail }) => rail === name);
        return known.map(({ currency, amount, threshold }) => {
          const { hours, emptyAt, perDay } = forecastOf(amount, currency, own, now);
          const title = `${words.forecast}, ${currency}`;
          const line = (values: readonly number[]) => ({
            values,
            texts: values.map((value) => grouped(value.toFixed(2))),
          });
          return (
            <Panel key={currency} title={title}>
              <Chart
                title={title}
                file={`forecast-${name}-${currency}`}
                kind="line"
                labels={hours.map(({ at }) => at.slice(0, 16).replace('T', ' '))}
                series={[
                  { name: words.balance, ...line(hours.map(({ balance }) => balance)) },
                  ...(threshold === null
                    ? []
                    : [{ name: words.threshold, ...line(hours.map(() => Number(threshold))) }]),
                ]}
              />
              <Text size="xs" className="muted">
                {words.forecastText}{' '}
                {emptyAt === null ? (
                  words.lasts(daysOf(amount, perDay))
                ) : (
                  <span className="late">
                    {words.emptyAt} <Moment at={emptyAt} />
                  </span>
                )}
              </Text>
            </Panel>
          );
        });
      }}
    </Shown>
  );
}

interface DayFigures {
  readonly day: string;
  readonly volumes: readonly Volume[];
}

/** Each of the last seven days, newest first. */
function Results({ rail: { name } }: { rail: Rail }) {
  const [from] = useState(() => new Date((Math.floor(currentTime().getTime() / DAY_MS) - 6) * DAY_MS).toISOString());
  const volumes = useReading('volumes.list', { query: { from, by: 'day' } });
  const buckets = volumes.data?.waitBucketsMs ?? [];
  const figures = ({ volumes: its }: DayFigures) => figuresOf(name, its, buckets);
  const columns: readonly Column<DayFigures>[] = [
    { label: words.day, cell: ({ day }) => day },
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
