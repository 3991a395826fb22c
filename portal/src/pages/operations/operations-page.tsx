/** The state of the system: queues, throughput, processes and alerts. */
import { Grid, Group, SimpleGrid, Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { usePolling } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { DAY_MS, HOUR_MS, now } from '../../browser.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { railPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { formatDuration } from '../../parts/time/duration.ts';
import { Since } from '../../parts/time/since.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { Figure } from './figure.tsx';

const words = operatorPages.operations;

type Queues = Answer<'queues.show'>;
type Stage = Queues['payouts'][number];
type Process = Answer<'processes.list'>['items'][number];

export default function OperationsPage() {
  const may = useMay();
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{words.title}</PageTitle>
        {may('recovery:read') ? <PageLink to="/recovery">{words.recovery}</PageLink> : null}
      </Group>
      <Shown of={usePolling('queues.show')}>
        {(queues) => (
          <>
            <Figures queues={queues} />
            <Grid>
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Stages stages={queues.payouts} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Late rails={queues.lateRails} />
              </Grid.Col>
            </Grid>
          </>
        )}
      </Shown>
      <Panel title={words.processes}>
        <Shown of={usePolling('processes.list')}>
          {({ items }) => (
            <Table
              label={words.processes}
              columns={processColumns(items)}
              items={items}
              keyOf={({ processId }) => processId}
            />
          )}
        </Shown>
      </Panel>
    </Stack>
  );
}

function Figures({ queues: { payouts, callbacks } }: { queues: Queues }) {
  const count = (stages: readonly Stage['stage'][]) =>
    payouts.filter(({ stage }) => stages.includes(stage)).reduce((sum, each) => sum + each.count, 0);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }}>
      <Figure name={words.inFlight} value={count(['queued', 'sending', 'at_bank'])} />
      <Figure name={words.unknown} value={count(['unknown'])} isLate={count(['unknown']) > 0} />
      <Figure
        name={words.callbacks}
        value={callbacks.waiting}
        note={
          callbacks.oldestDueAt === null ? (
            words.noneDue
          ) : (
            <>
              {words.oldest} <Since at={callbacks.oldestDueAt} />
            </>
          )
        }
      />
      <Figure
        name={words.lanesPaused}
        value={callbacks.lanesPaused}
        isLate={callbacks.lanesPaused > 0}
        note={<PageLink to="/callbacks?state=due">{words.undelivered}</PageLink>}
      />
    </SimpleGrid>
  );
}

function Stages({ stages }: { stages: readonly Stage[] }) {
  const columns: readonly Column<Stage>[] = [
    { label: words.rail, cell: ({ rail }) => <PageLink to={railPath(rail)}>{rail}</PageLink> },
    { label: words.stage, cell: ({ stage }) => words.stages[stage] },
    { label: words.payouts, cell: ({ count }) => count, isEnd: true },
    { label: words.oldest, cell: ({ oldestSince }) => <Since at={oldestSince} />, isEnd: true },
  ];
  return (
    <Panel title={words.queue}>
      {stages.length === 0 ? (
        <p className="small muted">{words.empty}</p>
      ) : (
        <>
          <Table label={words.queue} columns={columns} items={stages} keyOf={({ rail, stage }) => `${rail} ${stage}`} />
          <Ages stages={stages} />
        </>
      )}
    </Panel>
  );
}

function Ages({ stages }: { stages: readonly Stage[] }) {
  const at = now().getTime();
  const rails = [...new Set(stages.map(({ rail }) => rail))];
  const present = STAGES.filter((name) => stages.some(({ stage }) => stage === name));
  const ageOf = (rail: string, name: Stage['stage']) => {
    const found = stages.find((each) => each.rail === rail && each.stage === name);
    return found ? Math.max(0, at - Date.parse(found.oldestSince)) : null;
  };
  const oldest = Math.max(0, ...rails.flatMap((rail) => present.map((name) => ageOf(rail, name) ?? 0)));
  const [unit, unitMs] = UNITS.find(([, ms]) => oldest >= 3 * ms) ?? UNITS[2];
  return (
    <Chart
      title={words.ages(unit)}
      file="queue-ages"
      kind="bars"
      unit={` ${unit}`}
      labels={rails}
      series={present.map((name) => {
        const ages = rails.map((rail) => ageOf(rail, name));
        return {
          name: words.stages[name],
          values: ages.map((age) => (age === null ? null : age / unitMs)),
          texts: ages.map((age) => (age === null ? '' : formatDuration(age))),
        };
      })}
    />
  );
}

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', 60_000],
] as const;

const STAGES = ['awaiting_approval', 'queued', 'sending', 'at_bank', 'unknown'] as const;

/** Shows due payouts that no worker claims: a rail is paused or down, or no worker runs. */
function Late({ rails }: { rails: Queues['lateRails'] }) {
  const columns: readonly Column<Queues['lateRails'][number]>[] = [
    { label: words.rail, cell: ({ rail }) => <PageLink to={railPath(rail)}>{rail}</PageLink> },
    { label: words.due, cell: ({ oldestDueAt }) => <Since at={oldestDueAt} />, isEnd: true },
  ];
  return (
    <Panel title={words.late}>
      <Table empty={words.noLate} label={words.late} columns={columns} items={rails} keyOf={({ rail }) => rail} />
    </Panel>
  );
}

/** Two versions run during a release; afterwards a second version is a mistake. */
function processColumns(processes: readonly Process[]): readonly Column<Process>[] {
  const isMixed = new Set(processes.map(({ version }) => version)).size > 1;
  return [
    {
      label: words.process,
      // The beginning distinguishes processes; the logs contain the complete id.
      cell: ({ processId }) => (
        <span className="code whole" title={processId}>
          {processId.slice(0, 8)}
        </span>
      ),
    },
    { label: words.role, cell: ({ role }) => role },
    { label: words.host, cell: ({ host }) => host },
    { label: words.version, cell: ({ version }) => <span className={isMixed ? 'late' : undefined}>{version}</span> },
    { label: words.rails, cell: ({ rails }) => rails.join(', ') },
    { label: words.runs, cell: ({ since }) => <Since at={since} />, isEnd: true },
    { label: words.seen, cell: ({ seenAt }) => <Since at={seenAt} />, isEnd: true },
  ];
}
