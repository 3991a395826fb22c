/** One difference: both sides next to each other, and its resolution. */
import { Alert, Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Difference } from '../../../../gateway/contract/endpoints/rails.ts';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { WhoMay } from '../../parts/page/who-may.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

const words = operatorPages.differences;

export default function DifferencePage() {
  const { rail = '', day = '', kind = '', subject = '' } = useParams({ strict: false }) as Record<string, string>;
  const params = { rail, day, kind, subject };
  const [asked, setAsked] = useState<Answer<'payouts.ask'> | null>(null);
  return (
    <Shown of={useReading('differences.show', { params })} isPage>
      {(difference) => (
        <Stack>
          <Headline difference={difference} />
          {difference.resolved === null ? (
            <Alert color="yellow" variant="light" title={words.kinds[kind] ?? kind}>
              {words.todo[kind] ?? words.todoElse}
            </Alert>
          ) : (
            <Alert color="green" variant="light" title={words.resolvedBy(difference.resolved.by)}>
              {difference.resolved.resolution} · <Moment at={difference.resolved.at} />
            </Alert>
          )}
          <Grid>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <OurSide difference={difference} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <TheirSide difference={difference} asked={asked} onAsked={setAsked} />
            </Grid.Col>
          </Grid>
          {difference.resolved === null ? <Remedy difference={difference} /> : null}
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ difference: { rail, day, subject, resolved, foundAt } }: { difference: Difference }) {
  return (
    <div>
      <Crumbs to={`/differences?rail=${rail}&day=${day}`} title={words.title} name={`${rail} · ${day}`} />
      <Group gap="sm">
        <PageTitle>
          {words.difference} {subject}
        </PageTitle>
        <StateBadge state={resolved === null ? 'open' : 'resolved'} />
      </Group>
      <Text size="sm" className="muted">
        {words.found} <Moment at={foundAt} />
      </Text>
    </div>
  );
}

function OurSide({ difference: { ours, merchantId, payoutId } }: { difference: Difference }) {
  return (
    <Panel title={words.ours}>
      <Text fw={600}>{ours}</Text>
      {merchantId !== null && payoutId !== null ? <OurPayout merchantId={merchantId} payoutId={payoutId} /> : null}
    </Panel>
  );
}

function OurPayout({ merchantId, payoutId }: { merchantId: string; payoutId: string }) {
  const payout = useReading('payouts.show', { params: { merchantId, payoutId } });
  return (
    <Shown of={payout}>
      {({ amount, currency, state, account, attempts }) => (
        <Stack gap={4} mt="xs">
          <Group gap="sm">
            <PageLink to={payoutPath(merchantId, payoutId)}>
              {merchantId} / {payoutId}
            </PageLink>
            <Money amount={amount} currency={currency} />
            <StateBadge state={state} />
          </Group>
          <p className="small muted">{account}</p>
          {attempts.map(({ attempt, rail, reference, startedAt, outcome }) => (
            <Text key={attempt} size="sm" className="muted">
              {rail} · <span className="code">{reference}</span> · <Moment at={startedAt} />
              {outcome === null ? null : ` · ${outcome}`}
            </Text>
          ))}
        </Stack>
      )}
    </Shown>
  );
}

interface TheirSideProps {
  readonly difference: Difference;
  readonly asked: Answer<'payouts.ask'> | null;
  readonly onAsked: (answer: Answer<'payouts.ask'>) => void;
}

/** The provider’s response when the difference was found, and its current response. */
function TheirSide({ difference: { theirs, merchantId, payoutId, rail }, asked, onAsked }: TheirSideProps) {
  const may = useMay();
  return (
    <Panel title={words.theirs}>
      <Text fw={600}>{theirs}</Text>
      {asked === null ? null : (
        <Text size="sm" mt="xs" role="status">
          {words.answers} {asked.theirs}
        </Text>
      )}
      {merchantId !== null && payoutId !== null && may('payouts:write') ? (
        <Group mt="sm">
          <ActButton
            act="payouts.ask"
            params={{ merchantId, payoutId }}
            label={words.ask}
            text={words.askText}
            bodyOf={() => ({ rail })}
            onDone={onAsked}
            button={{ size: 'compact-sm' }}
          />
        </Group>
      ) : null}
    </Panel>
  );
}

/** The actions that can resolve it, in the order in which a user tries them. */
function Remedy({ difference: { rail, day, kind, subject, merchantId, payoutId } }: { difference: Difference }) {
  const { reason, reasonHint } = useWords();
  const may = useMay();
  const why = { name: 'reason', label: reason, isRequired: true, isLong: true, placeholder: reasonHint };
  return (
    <Panel title={words.remedy}>
      <Group gap="xs">
        {may('reconciliation:write') ? (
          <ActButton
            act="reconciliation.compareDay"
            params={{ rail, day }}
            label={words.compare}
            text={words.compareText(rail, day)}
          />
        ) : null}
        {merchantId !== null && payoutId !== null && may('payouts:write') ? (
          <ActButton
            act="payouts.resolve"
            params={{ merchantId, payoutId }}
            label={words.record}
            text={words.recordText}
            fields={[
              {
                name: 'outcome',
                label: words.outcome,
                options: (['executed', 'declined', 'reversed'] as const).map((value) => ({
                  value,
                  label: words.outcomes[value],
                })),
              },
              { ...why, placeholder: words.proof },
            ]}
          />
        ) : null}
        {may('reconciliation:write') ? (
          <ActButton
            act="differences.resolve"
            params={{ rail, day, kind, subject }}
            label={words.resolve}
            text={words.resolveText}
            fields={[{ ...why, label: words.cause }]}
            button={{ look: 'filled' }}
          />
        ) : null}
      </Group>
      <WhoMay permission="reconciliation:write" />
    </Panel>
  );
}
