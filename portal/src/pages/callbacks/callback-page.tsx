/** One callback: its attempts with the signed bytes, and a resend. */
import { Grid, Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { MerchantLink } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { depositPath, type PagePath, payoutPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Deliveries } from '../../parts/payment/deliveries.tsx';
import { Waiting } from '../../parts/payment/waiting.tsx';
import { useWords } from '../../words/words.ts';

type CallbackRecord = Answer<'callbacks.show'>;

export default function CallbackPage() {
  const { merchantId = '', callbackId = '' } = useParams({ strict: false });
  const callback = useReading('callbacks.show', { params: { merchantId, callbackId } });
  const { callbacks } = useWords();
  return (
    <Shown of={callback} isPage>
      {(record) => (
        <Stack>
          <Headline callback={record} />
          <Waiting pending={record.pending} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Panel title={callbacks.deliveries}>
                <Deliveries deliveries={record.deliveries} />
              </Panel>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Payload callback={record} />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ callback }: { callback: CallbackRecord }) {
  const { callbacks, subjects } = useWords();
  const may = useMay();
  const isOperator = useSession().merchantId === null;
  const { merchantId, callbackId, subject, subjectId, state } = callback;
  const about = `${subjects[subject] ?? subject} ${subjectId}`;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Crumbs to="/callbacks" title={callbacks.title} name={callbackId} />
        <Group gap="sm">
          <PageTitle>
            {callbacks.id}: {subject === 'event' ? about : <PageLink to={pathOfSubject(callback)}>{about}</PageLink>}
          </PageTitle>
          <StateBadge state={state} />
        </Group>
        {isOperator ? <MerchantLink merchantId={merchantId} /> : null}
      </div>
      {may('callbacks:write') && state !== 'not_wanted' ? (
        <ActButton
          act="callbacks.resend"
          params={{ merchantId, callbackId }}
          label={callbacks.resend}
          text={callbacks.resendText}
        />
      ) : null}
    </Group>
  );
}

function pathOfSubject({ merchantId, subject, subjectId }: CallbackRecord): PagePath {
  return subject === 'deposit' ? depositPath(merchantId, subjectId) : payoutPath(merchantId, subjectId);
}

function Payload({ callback: { payload } }: { callback: CallbackRecord }) {
  const { callbacks } = useWords();
  const rows = Object.entries(payload).map(([name, value]) => ({ name, value, copy: value }));
  return <Details title={callbacks.payload} rows={rows} isCode />;
}
