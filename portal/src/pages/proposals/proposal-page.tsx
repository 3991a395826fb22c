/** One proposal: the exact action, its preview, and the decision of a second person. */
import { Alert, Grid, Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Proposal } from '../../../../gateway/contract/endpoints/proposals.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { RehearsalShown } from '../../parts/acts/rehearsal.tsx';
import { ShownOnce } from '../../parts/acts/shown-once.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { ObjectLink } from '../../parts/links/object-link.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { WhoMay } from '../../parts/page/who-may.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { actorName, useWords } from '../../words/words.ts';

export default function ProposalPage() {
  const { proposals: words, payment } = useWords();
  const { proposalId = '' } = useParams({ strict: false }) as { proposalId?: string };
  return (
    <Shown of={useReading('proposals.show', { params: { proposalId } })} isPage>
      {(proposal) => (
        <Stack>
          <Headline proposal={proposal} />
          {proposal.end === null ? null : (
            <Alert color="gray" variant="light" title={words.ended}>
              {[actorName(payment, proposal.end.by), proposal.end.detail].filter(Boolean).join(' · ')} ·{' '}
              <Moment at={proposal.end.at} />
            </Alert>
          )}
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Panel title={words.effects}>
                <RehearsalShown rehearsal={proposal.rehearsal} />
              </Panel>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack>
                <Facts proposal={proposal} />
                {proposal.state === 'open' ? <WhoMay permission="proposals:approve" /> : null}
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ proposal }: { proposal: Proposal }) {
  const { reason, proposals: words, acts, navigation, states } = useWords();
  const [secrets, setSecrets] = useState<readonly (readonly [string, string])[]>([]);
  const { proposalId, hash, act, object, state, maker } = proposal;
  const may = useMay();
  const { person } = useSession();
  const params = { proposalId };
  const isOwn = maker.kind === 'person' && maker.id === person.personId;
  const { amount, currency } = (proposal.request.body ?? {}) as Readonly<Record<string, string | undefined>>;
  const sum = amount && currency ? `${grouped(amount)} ${currency}` : '';
  const signed = [acts[act] ?? act, sum, object].filter(Boolean).join(' · ');
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <div>
          <Crumbs to="/approvals" title={navigation.approvals} name={proposalId} />
          <Group gap="sm">
            <PageTitle>{acts[act] ?? act}</PageTitle>
            <StateBadge state={state === 'open' ? 'pending' : state} text={states[state] ?? state} />
          </Group>
          <Group gap="xs" className="small">
            <span className="code muted">{act}</span>
            <ObjectLink object={object} />
          </Group>
        </div>
        {state !== 'open' ? null : isOwn ? (
          <ActButton act="proposals.withdraw" params={params} label={words.withdraw} text={words.withdrawText} />
        ) : may('proposals:approve') ? (
          <Group gap="xs">
            <ActButton
              act="proposals.approve"
              params={params}
              label={words.approve}
              text={`${signed}. ${words.approveText}`}
              extra={<RehearsalShown rehearsal={proposal.rehearsal} />}
              bodyOf={() => ({ hash })}
              onDone={({ answer }) => setSecrets(secretsOf(answer))}
              button={{ look: 'filled' }}
            />
            <ActButton
              act="proposals.reject"
              params={params}
              label={words.reject}
              text={words.rejectText}
              fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true }]}
              bodyOf={({ reason: why = '' }) => ({ hash, reason: why })}
            />
          </Group>
        ) : null}
      </Group>
      {secrets.map(([name, secret]) => (
        <ShownOnce key={name} title={words.shownOnce} secret={secret} />
      ))}
    </Stack>
  );
}

const SECRETS = ['key', 'formKey', 'secret', 'link'];

/** An executed action may have created a secret. Only its approver sees it, once. */
function secretsOf(answer: unknown): readonly (readonly [string, string])[] {
  return Object.entries((answer ?? {}) as object).filter(
    (entry): entry is [string, string] => SECRETS.includes(entry[0]) && typeof entry[1] === 'string',
  );
}

function Facts({ proposal: { maker, reason, createdAt, expiresAt, hash, request } }: { proposal: Proposal }) {
  const { reason: reasonWord, proposals: words } = useWords();
  const parts = Object.entries({
    ...(request.params as object),
    ...(request.query as object),
    ...(request.body as object),
  });
  return (
    <Details
      title={words.request}
      rows={[
        { name: words.maker, value: maker.name },
        { name: reasonWord, value: reason },
        { name: words.created, value: <Moment at={createdAt} /> },
        { name: words.expires, value: <Moment at={expiresAt} /> },
        ...parts
          .filter(([name]) => name !== 'reason')
          .map(([name, value]) => ({
            name,
            value: <span className="code">{typeof value === 'string' ? value : JSON.stringify(value)}</span>,
          })),
        { name: words.hash, value: <span className="code">{hash}</span>, copy: hash },
      ]}
    />
  );
}
