/** One request: its bytes, the response, and the mistake in an invalid signature. */
import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { MerchantLink } from '../../parts/links/merchant-link.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Bytes } from '../../parts/payment/deliveries.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';

type RequestRecord = Answer<'requests.show'>;
type Finding = Answer<'requests.explain'>['findings'][number];

export default function RequestPage() {
  const { merchantId = '', requestId = '' } = useParams({ strict: false });
  const request = useReading('requests.show', { params: { merchantId, requestId } });
  return (
    <Shown of={request} isPage>
      {(record) => (
        <Stack>
          <Headline request={record} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <Doctor request={record} />
                <Exchange request={record} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Facts request={record} />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ request: { requestId, description, reason, endpoint, outcome } }: { request: RequestRecord }) {
  const { requests, unproven } = useWords();
  const isOperator = useSession().merchantId === null;
  return (
    <div>
      <Crumbs to="/requests" title={requests.title} name={requestId} />
      <Group gap="sm">
        <PageTitle>
          {requests.id}: <span lang="en">{description || reason || endpoint}</span>
        </PageTitle>
        <StateBadge state={outcome} />
      </Group>
      {outcome === 'unproven' ? <Text size="sm">{isOperator ? unproven : requests.unproven}</Text> : null}
    </div>
  );
}

function Facts({ request }: { request: RequestRecord }) {
  const { requests, payment, payouts, charts } = useWords();
  const isOperator = useSession().merchantId === null;
  const { merchantId } = request;
  const { receivedAt, endpoint, reason, subjectId, clientAddress, httpStatus, durationMs, method } = request;
  const rows = [
    { name: requests.received, value: <Moment at={receivedAt} /> },
    {
      name: payouts.merchant,
      value: isOperator ? <MerchantLink merchantId={merchantId} /> : '',
    },
    { name: requests.endpoint, value: <span className="code">{`${method} ${endpoint}`}</span> },
    { name: requests.reason, value: reason && <span className="code">{reason}</span> },
    { name: requests.about, value: subjectId },
    { name: requests.from, value: clientAddress, copy: clientAddress },
    { name: requests.answered, value: httpStatus },
    { name: requests.took, value: `${durationMs} ${charts.units.ms}` },
  ];
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value, copy: value }));
  return (
    <Stack>
      <Details title={payment.details} rows={rows.filter(({ value }) => value !== '' && value !== null)} />
      <Details title={requests.headers} rows={headers} />
    </Stack>
  );
}

function Exchange({ request: { request, reply } }: { request: RequestRecord }) {
  const { requests } = useWords();
  // Masked values have different lengths.
  const isCut = useMay()('personal:read') && new TextEncoder().encode(request.text).length < request.bytes;
  return (
    <>
      <Panel title={requests.request}>
        <Bytes label={requests.request} text={request.text} />
        {isCut ? (
          <p className="small">
            {requests.cut} {request.bytes}
          </p>
        ) : null}
      </Panel>
      <Panel title={requests.reply}>
        {reply.text === '' ? (
          <Text size="sm">{requests.notKept}</Text>
        ) : (
          <Bytes label={requests.reply} text={reply.text} />
        )}
      </Panel>
    </>
  );
}

/** The signature doctor, which runs only on request. */
function Doctor({ request: { merchantId, requestId, canExplain } }: { request: RequestRecord }) {
  const { requests } = useWords();
  const may = useMay();
  const isOwn = useSession().merchantId === merchantId;
  const [isAsked, setAsked] = useState(false);
  const answer = useReading('requests.explain', { params: { merchantId, requestId } }, isAsked);
  if (!canExplain || !isOwn || !may('signatures:explain')) return null;
  return (
    <Panel title={requests.doctor}>
      {isAsked ? (
        <Shown of={answer}>
          {({ findings }) => (
            <Stack>
              {findings.map((finding) => (
                <FindingView key={finding.part} finding={finding} />
              ))}
            </Stack>
          )}
        </Shown>
      ) : (
        <Button onClick={() => setAsked(true)}>{requests.ask}</Button>
      )}
    </Panel>
  );
}

const PARTS = { sign: 'sign', x_sign: 'X-Sign' } as const;

function FindingView({ finding }: { finding: Finding }) {
  const { requests } = useWords();
  const { part, kind, mistakes, text, expected, signed, differsAt } = finding;
  const said = { right: requests.right, no_key: requests.noKey, unknown: requests.unknown, absent: '', mistake: '' };
  return (
    <Alert variant="light" color={kind === 'right' ? 'green' : 'orange'} title={PARTS[part]}>
      <Stack gap="xs">
        <Text size="sm">
          {[said[kind], text, ...mistakes.map((mistake) => mistake.text)].filter(Boolean).join(' ')}
        </Text>
        {expected ? <TextToSign label={requests.expected} text={expected} /> : null}
        {signed && signed !== expected ? <TextToSign label={requests.signed} text={signed} /> : null}
        {differsAt === null ? null : (
          <p className="small">
            {requests.differsAt} {differsAt}
          </p>
        )}
      </Stack>
    </Alert>
  );
}

function TextToSign({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Bytes label={label} text={text} />
    </div>
  );
}
