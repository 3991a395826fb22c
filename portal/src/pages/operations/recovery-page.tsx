/** Shows the recovery after a restore. Only the server’s CLI can change it. */
import { Alert, Stack, Text } from '@mantine/core';
import type { RailProgress, Recovery } from '../../../../gateway/contract/endpoints/recovery.ts';
import { usePolling } from '../../api/queries.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { railPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Details } from '../../parts/page/details.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';

const words = operatorPages.recovery;

export default function RecoveryPage() {
  return (
    <Stack>
      <PageTitle>{words.title}</PageTitle>
      <Shown of={usePolling('recovery.show')}>
        {(recovery) => (
          <>
            <State recovery={recovery} />
            {recovery.latest === null ? null : <Latest latest={recovery.latest} rails={recovery.rails} />}
          </>
        )}
      </Shown>
    </Stack>
  );
}

function State({ recovery: { recovering, lineageKnown, latest } }: { recovery: Recovery }) {
  if (!lineageKnown)
    return (
      <Alert color="red" variant="light">
        {words.lineage}
      </Alert>
    );
  if (latest === null) return <Text className="muted">{words.never}</Text>;
  return (
    <Alert color={recovering ? 'yellow' : 'petrol'} variant="light">
      {recovering ? words.recovering : words.over}
    </Alert>
  );
}

function Latest({ latest, rails }: { latest: NonNullable<Recovery['latest']>; rails: readonly RailProgress[] }) {
  const { startedAt, startedBy, knownUntil, reason, completedAt } = latest;
  return (
    <>
      <Details
        title={words.facts}
        rows={[
          { name: words.started, value: <Moment at={startedAt} /> },
          { name: words.by, value: startedBy },
          { name: words.reason, value: reason },
          { name: words.doubt, value: <Moment at={knownUntil} /> },
          { name: words.completed, value: completedAt === null ? words.notYet : <Moment at={completedAt} /> },
        ]}
      />
      <Panel title={words.rails}>
        <Table label={words.rails} columns={COLUMNS} items={rails} keyOf={({ rail }) => rail} />
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<RailProgress>[] = [
  { label: words.rail, cell: ({ rail }) => <PageLink to={railPath(rail)}>{rail}</PageLink> },
  { label: words.unasked, cell: ({ unasked }) => unasked, isEnd: true },
  {
    label: words.lists,
    cell: ({ hasList, comparedAt }) =>
      !hasList ? words.noList : comparedAt === null ? words.notYet : <Moment at={comparedAt} />,
  },
  { label: words.unaccounted, cell: ({ unaccounted }) => unaccounted, isEnd: true },
  { label: words.missing, cell: (progress) => <Needed {...progress} /> },
];

function Needed({ missing, completed, caveat }: RailProgress) {
  if (completed)
    return (
      <>
        {words.completed} <Moment at={completed.at} />, {completed.by}
        {completed.forcedBecause === null ? null : (
          <div className="late">
            {words.forced} {completed.forcedBecause}
          </div>
        )}
        {completed.asksUntil === null ? null : (
          <div className="muted small">
            {words.asksUntil} <Moment at={completed.asksUntil} />
          </div>
        )}
      </>
    );
  return (
    <>
      {missing.length === 0 ? words.nothing : missing.map((each) => <div key={each}>{each}</div>)}
      {caveat === '' ? null : <div className="muted small">{caveat}</div>}
    </>
  );
}
