/** The calendar of compared days, and the differences. */
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Difference } from '../../../../gateway/contract/endpoints/rails.ts';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { now as currentTime } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Segments } from '../../parts/elements/segments.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { setFilters, useAddressFilters } from '../../parts/links/address.ts';
import { PageLink } from '../../parts/links/page-link.tsx';
import { differencePath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { Since } from '../../parts/time/since.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { dayAfter, dayStateOf, daysUntil, type KeptDay } from './compared-days.ts';
import './calendar.css';
import { PageTitle } from '../../parts/page/page-title.tsx';

const words = operatorPages.differences;
const DAYS = 21;

interface Search {
  readonly rail?: string;
  readonly day?: string;
  readonly until?: string;
  readonly shown?: 'all';
}

const useAddress = (): Search => useAddressFilters();

function useGo() {
  const search = useAddress();
  return (change: { readonly [Name in keyof Search]: Search[Name] | undefined }) =>
    setFilters({ ...search, ...change });
}

export default function DifferenceList() {
  return (
    <Stack>
      <PageTitle>{words.title}</PageTitle>
      <Calendar />
      <ChosenDay />
      <Differences />
    </Stack>
  );
}

function Calendar() {
  const [today] = useState(() => currentTime().toISOString().slice(0, 10));
  const { until = today } = useAddress();
  const go = useGo();
  const may = useMay();
  const days = daysUntil(until, DAYS);
  const from = days[0] ?? until;
  const compared = useReading('reconciliation.listDays', { query: { from, until } });
  const open = useReading('differences.list');
  const rails = useReading('rails.list', {}, may('rails:read'));
  const move = (by: number) => go({ until: dayAfter(until, by) > today ? undefined : dayAfter(until, by) });
  return (
    <Panel
      title={words.calendar}
      side={
        <Group gap={4}>
          <Button variant="default" size="compact-sm" onClick={() => move(-DAYS)}>
            {words.earlier}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => move(DAYS)} disabled={until === today}>
            {words.later}
          </Button>
        </Group>
      }
    >
      <Shown of={compared}>
        {({ items }) => (
          <Grid
            days={days}
            kept={items}
            open={open.data?.items ?? []}
            payoutRails={(rails.data?.items ?? []).filter(({ methods }) => methods.length > 0).map(({ name }) => name)}
          />
        )}
      </Shown>
      <Text size="xs" className="muted" mt="xs">
        {words.legend}
      </Text>
    </Panel>
  );
}

interface GridProps {
  readonly days: readonly string[];
  readonly kept: readonly KeptDay[];
  readonly open: readonly Difference[];
  readonly payoutRails: readonly string[];
}

function Grid({ days, kept, open, payoutRails }: GridProps) {
  const inView = open.filter(({ day }) => days.includes(day));
  const rails = [...new Set([...payoutRails, ...kept.map(({ rail }) => rail), ...inView.map(({ rail }) => rail)])];
  return (
    <Box component="section" className="scroll" aria-label={words.grid} tabIndex={0} ref={showLatest}>
      <table className="calendar">
        <thead>
          <tr>
            <th scope="col">{words.rail}</th>
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                aria-label={day}
                {...(isFirst(day, days) ? { 'data-month': monthOf(day) } : {})}
              >
                {Number(day.slice(8))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rails.sort().map((rail) => (
            <tr key={rail}>
              <th scope="row">{rail}</th>
              {days.map((day) => (
                <td key={day}>
                  <Cell
                    rail={rail}
                    day={day}
                    kept={kept.find((each) => each.rail === rail && each.day === day)}
                    open={inView.filter((each) => each.rail === rail && each.day === day).length}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

/** A narrow screen starts scrolled to today. */
const showLatest = (element: HTMLElement | null) => element?.scrollTo({ left: element.scrollWidth });

const isFirst = (day: string, days: readonly string[]) => day === days[0] || day.endsWith('-01');
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const monthOf = (day: string) => MONTH.format(new Date(day));

function Cell({ rail, day, kept, open }: { rail: string; day: string; kept: KeptDay | undefined; open: number }) {
  const { rail: chosenRail, day: chosenDay } = useAddress();
  const go = useGo();
  const state = dayStateOf(kept, open);
  const isChosen = chosenRail === rail && chosenDay === day;
  return (
    <button
      type="button"
      data-state={state}
      aria-pressed={isChosen}
      aria-label={words.cell(rail, day, state, Math.max(open, kept?.open ?? 0))}
      title={kept ? words.counts(kept.matched, kept.listed) : words.notCompared}
      onClick={() => go(isChosen ? { rail: undefined, day: undefined } : { rail, day })}
    >
      {state === 'open' ? Math.max(open, kept?.open ?? 0) : state === 'none' ? '·' : '✓'}
    </button>
  );
}

/** The selected day, with the actions that compare it again. */
function ChosenDay() {
  const { rail, day } = useAddress();
  const may = useMay();
  const [result, setResult] = useState<Answer<'reconciliation.compareDay'> | null>(null);
  if (rail === undefined || day === undefined || !may('reconciliation:write')) return null;
  const isShown = result?.rail === rail && result.day === day;
  return (
    <Panel
      title={`${rail} · ${day}`}
      side={
        <Group gap={4}>
          <ActButton
            act="reconciliation.compareDay"
            params={{ rail, day }}
            label={words.compare}
            text={words.compareText(rail, day)}
            onDone={setResult}
            button={{ size: 'compact-sm' }}
          />
          <ActButton
            act="reconciliation.readTransfers"
            params={{ rail }}
            label={words.readTransfers}
            text={words.readTransfersText(rail)}
            button={{ size: 'compact-sm' }}
          />
        </Group>
      }
    >
      <Text size="sm" className={isShown ? undefined : 'muted'}>
        {isShown ? words.compared(result) : words.chosen}
      </Text>
    </Panel>
  );
}

function Differences() {
  const { rail, day, shown } = useAddress();
  const go = useGo();
  const filter = { ...(rail === undefined ? {} : { rail }), ...(day === undefined ? {} : { day }) };
  const differences = useReading('differences.list', {
    query: { ...filter, ...(shown === 'all' ? { all: true } : {}) },
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {[words.list, rail, day].filter(Boolean).join(' · ')}
        </Title>
        <Group gap="xs">
          {rail === undefined && day === undefined ? null : (
            <Button variant="subtle" size="xs" onClick={() => go({ rail: undefined, day: undefined })}>
              {words.everywhere}
            </Button>
          )}
          <Segments
            label={words.which}
            value={shown === 'all' ? 'all' : 'open'}
            options={[
              ['open', words.open],
              ['all', words.all],
            ]}
            choose={(value) => go({ shown: value === 'all' ? 'all' : undefined })}
          />
        </Group>
      </Group>
      <Paper withBorder>
        <Shown of={differences}>
          {({ items }) => (
            <Table
              empty={<Empty>{words.empty}</Empty>}
              label={words.list}
              columns={COLUMNS}
              items={items}
              keyOf={(each) => differencePath(each)}
              pathOf={differencePath}
            />
          )}
        </Shown>
      </Paper>
    </Stack>
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  {
    label: words.subject,
    cell: (difference) => (
      <>
        <PageLink to={differencePath(difference)}>{difference.subject}</PageLink>
        <br />
        <span className="muted">
          {difference.rail} · {difference.day}
        </span>
      </>
    ),
  },
  { label: words.kind, cell: ({ kind }) => words.kinds[kind] ?? kind },
  { label: words.ours, cell: ({ ours }) => ours },
  { label: words.theirs, cell: ({ theirs }) => theirs },
  { label: words.since, cell: ({ foundAt }) => <Since at={foundAt} /> },
  { label: words.state, cell: ({ resolved }) => <StateBadge state={resolved === null ? 'open' : 'resolved'} /> },
];
