/** One rail: its results, its float with forecasts, and its facts. */
import { Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { usePolling } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { FactsPanel } from './facts-panel.tsx';
import { FloatPanel } from './float-panel.tsx';
import { ForecastPanels } from './forecast-panels.tsx';
import { PauseButton } from './pause-button.tsx';
import { RailTest } from './rail-setups.tsx';
import { railStateOf } from './rail-state.ts';
import { ResultsPanel } from './results-panel.tsx';

const words = operatorPages.rails;

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
                {may('ledger:read') ? <ResultsPanel rail={rail} /> : null}
                <FloatPanel rail={rail} />
                {may('ledger:read') ? <ForecastPanels rail={rail} /> : null}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack>
                <FactsPanel rail={rail} />
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
