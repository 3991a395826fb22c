/** The list of rails: health, results, floats and pauses. */
import { Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import type { Answer } from '../../api/client.ts';
import { usePolling, useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { now as currentTime, DAY_MS, HOUR_MS } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { railPath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { PaidAmounts } from '../../parts/money/paid-amounts.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { atMost, percent } from '../../parts/time/duration.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';
import { inADay } from './forecast.ts';
import { PauseButton } from './pause-button.tsx';
import { RailSetups } from './rail-setups.tsx';
import { figuresOf, inFlightOf, railStateOf } from './rail-state.ts';

const words = operatorPages.rails;
const iso = (ms: number) => new Date(ms).toISOString();

export default function RailList() {
  const rails = usePolling('rails.list');
  const may = useMay();
  return (
    <Stack>
      <PageTitle>{words.title}</PageTitle>
      <Paper withBorder>
        <Shown of={rails}>
          {({ items }) => (items.length === 0 ? <Empty>{words.empty}</Empty> : <Rails rails={items} />)}
        </Shown>
      </Paper>
      <Panel title={words.pauses} side={may('rails:write') ? <PauseAnything /> : null}>
        <Pauses />
      </Panel>
      <RailSetups />
    </Stack>
  );
}

function Rails({ rails }: { rails: readonly Rail[] }) {
  const may = useMay();
  const [now] = useState(() => Math.floor(currentTime().getTime() / HOUR_MS) * HOUR_MS);
  const query = { from: iso(now - DAY_MS), by: 'hour' } as const;
  const volumes = useReading('volumes.list', { query }, may('ledger:read'));
  const weekAgo = { from: iso(now - 7 * DAY_MS), until: iso(now - 6 * DAY_MS), by: 'day' } as const;
  const spent = useReading('volumes.list', { query: weekAgo }, may('ledger:read')).data?.items;
  const figures = ({ name }: Rail) => figuresOf(name, volumes.data?.items ?? [], volumes.data?.waitBucketsMs ?? []);
  const columns: readonly Column<Rail>[] = [
    {
      label: words.rail,
      cell: (rail) => (
        <>
          <PageLink to={railPath(rail.name)}>{rail.name}</PageLink>
          <br />
          <span className="muted">{describe(rail)}</span>
        </>
      ),
    },
    {
      label: words.state,
      cell: (rail) => (
        <>
          <StateBadge state={railStateOf(rail)} />
          {rail.pause === null ? null : <div className="muted">{rail.pause.reason}</div>}
        </>
      ),
    },
    { label: words.inFlight, cell: (rail) => inFlightOf(rail) || null, isEnd: true },
    { label: words.success, cell: (rail) => percent(figures(rail).successRate), isEnd: true },
    { label: words.median, cell: (rail) => atMost(figures(rail).medianMs), isEnd: true },
    { label: words.floats, cell: ({ floats }) => <Floats floats={floats} />, isEnd: true },
    { label: words.inADay, cell: ({ name, floats }) => <Expected {...{ name, floats, spent }} />, isEnd: true },
    {
      label: words.collected,
      cell: ({ name }) => (
        <PaidAmounts flow="deposit" volumes={(volumes.data?.items ?? []).filter(({ rail }) => rail === name)} />
      ),
      isEnd: true,
    },
    ...(may('rails:write')
      ? [
          {
            label: words.act,
            cell: ({ name, methods, purposes, pause }: Rail) =>
              methods.length + purposes.length > 0 ? (
                <PauseButton scope="rail" target={name} isPaused={pause !== null} />
              ) : null,
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <>
      <Table label={words.title} columns={columns} items={rails} keyOf={({ name }) => name} />
      <Text size="xs" className="muted" p="sm" hidden={!rails.some(({ floats }) => floats.length > 0)}>
        {words.inADayText}
      </Text>
    </>
  );
}

function describe({ methods, purposes, simulated, hours }: Rail): string {
  const carried =
    methods.length > 0
      ? `${methods.length === 1 ? words.method : words.methods} ${methods.join(', ')}`
      : purposes.map((purpose) => words.carries[purpose] ?? purpose).join(', ');
  return [carried || words.deposits, hours, simulated ? words.simulated : ''].filter(Boolean).join(' · ');
}

function Floats({ floats }: { floats: Rail['floats'] }) {
  return floats
    .filter(({ amount }) => amount !== null)
    .map(({ currency, amount, isLow }) => (
      <div key={currency} className={isLow ? 'late' : undefined}>
        <Money amount={amount ?? ''} currency={currency} />
      </div>
    ));
}

/** The expected balances in a day, if it spends as much as the same day of the last week. */
function Expected({ name, floats, spent }: Pick<Rail, 'name' | 'floats'> & { spent: readonly Volume[] | undefined }) {
  if (!spent) return null;
  const own = spent.filter(({ rail }) => rail === name);
  return floats.map(({ currency, amount, threshold }) => {
    if (amount === null) return null;
    const expected = inADay(amount, currency, own);
    return (
      <div key={currency} className={Number(expected) < Number(threshold ?? 0) ? 'late' : undefined}>
        <Money amount={expected} currency={currency} />
      </div>
    );
  });
}

type Pause = Answer<'pauses.list'>['items'][number];

function Pauses() {
  const may = useMay();
  const columns: readonly Column<Pause>[] = [
    { label: words.what, cell: ({ scope, target }) => `${words.scopes[scope]} ${target}` },
    { label: words.reason, cell: ({ reason }) => reason },
    { label: words.since, cell: ({ since }) => <Moment at={since} /> },
    ...(may('rails:write')
      ? [
          {
            label: words.act,
            cell: ({ scope, target }: Pause) => <PauseButton {...{ scope, target }} isPaused />,
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Shown of={usePolling('pauses.list')}>
      {({ items }) => (
        <Table
          empty={words.noPause}
          label={words.pauses}
          columns={columns}
          items={items}
          keyOf={({ scope, target }) => `${scope} ${target}`}
        />
      )}
    </Shown>
  );
}

const SCOPES = ['merchant', 'method', 'purpose', 'rail'] as const;

/** A pause of a merchant, method or rail that the user enters. */
function PauseAnything() {
  const { reason } = useWords();
  const options = SCOPES.map((scope) => ({ value: scope, label: words.scopes[scope] }));
  return (
    <ActButton
      act="pauses.pause"
      paramsOf={({ scope, target = '' }) => ({ scope: scope as (typeof SCOPES)[number], target })}
      label={words.pauseOther}
      text={words.pauseOtherText}
      fields={[
        { name: 'scope', label: words.what, options },
        { name: 'target', label: words.target, isRequired: true },
        { name: 'reason', label: reason, isRequired: true, isLong: true },
      ]}
      bodyOf={({ reason: why = '' }) => ({ reason: why })}
      button={{ size: 'compact-sm' }}
    />
  );
}
