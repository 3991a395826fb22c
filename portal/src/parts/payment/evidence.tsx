/** The evidence of a payment: its callbacks, its requests and the users' actions on it, each with its bytes. */
import './evidence.css';
import { Group, Stack, Text } from '@mantine/core';
import type { Callback } from '../../../../gateway/contract/endpoints/callbacks.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { actorName, useWords } from '../../words/words.ts';
import { Panel } from '../elements/panel.tsx';
import { StateBadge } from '../elements/state-badge.tsx';
import { PageLink } from '../links/page-link.tsx';
import { callbackPath, requestPath } from '../links/paths.ts';
import { LazySection } from '../loading/lazy-section.tsx';
import { Shown } from '../loading/shown.tsx';
import { ActName } from '../names/act-name.tsx';
import { Moment } from '../time/moment.tsx';
import { Bytes, DeliveriesOf } from './deliveries.tsx';

export function CallbackPanel({ callbacks }: { callbacks: readonly Callback[] }) {
  const { payment, callbacks: words } = useWords();
  return (
    <Panel title={payment.callbacks}>
      {callbacks.length === 0 ? <Nothing>{payment.noCallbacks}</Nothing> : null}
      <Stack gap="sm">
        {callbacks.map(({ merchantId, callbackId, state, attempts, createdAt }) => (
          <div key={callbackId} className="evidence">
            <Group gap="xs">
              <PageLink to={callbackPath(merchantId, callbackId)}>
                <Moment at={createdAt} isShort />
              </PageLink>
              <StateBadge state={state} />
              <span className="muted">{`${words.attempts}: ${attempts}`}</span>
            </Group>
            <LazySection summary={payment.bytes}>
              <DeliveriesOf merchantId={merchantId} callbackId={callbackId} />
            </LazySection>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

/** `subjectId` is the merchant’s id of the payout or the order. */
export function RequestPanel({ merchantId, subjectId }: { merchantId: string; subjectId: string }) {
  const { payment, charts } = useWords();
  const { units } = charts;
  const isAllowed = useMay()('requests:read');
  const found = useReading('requests.list', { query: { merchantId, subjectId, limit: 5 } }, isAllowed);
  if (!isAllowed) return null;
  return (
    <Panel title={payment.requests}>
      <Shown of={found}>
        {({ items }) => (
          <Stack gap="sm">
            {items.length === 0 ? <Nothing>{payment.noRequests}</Nothing> : null}
            {items.map(({ requestId, receivedAt, endpoint, outcome, durationMs }) => (
              <div key={requestId} className="evidence">
                <Group gap="xs">
                  <PageLink to={requestPath(merchantId, requestId)}>
                    <Moment at={receivedAt} isShort />
                  </PageLink>
                  <StateBadge state={outcome} />
                  <span className="muted">
                    <span className="code">{endpoint}</span> · {durationMs} {units.ms}
                  </span>
                </Group>
                <LazySection summary={payment.bytes}>
                  <RequestBytes merchantId={merchantId} requestId={requestId} />
                </LazySection>
              </div>
            ))}
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

function RequestBytes({ merchantId, requestId }: { merchantId: string; requestId: string }) {
  const { requests } = useWords();
  const request = useReading('requests.show', { params: { merchantId, requestId } });
  return (
    <Shown of={request}>
      {({ request: sent, reply }) => (
        <>
          <Bytes label={requests.request} text={sent.text} />
          {reply.text === '' ? null : <Bytes label={requests.reply} text={reply.text} />}
        </>
      )}
    </Shown>
  );
}

/** `object` has the form in which the audit log records it. */
export function AuditPanel({ object }: { object: string }) {
  const { payment } = useWords();
  const isAllowed = useMay()('audit:read');
  const found = useReading('audit.list', { query: { object, limit: 10 } }, isAllowed);
  if (!isAllowed) return null;
  return (
    <Panel title={payment.audit}>
      <Shown of={found}>
        {({ items }) => {
          const ended = items.filter(({ phase }) => phase !== 'begun');
          return (
            <Stack gap="xs">
              {ended.length === 0 ? <Nothing>{payment.noAudit}</Nothing> : null}
              {ended.map(({ merchantId, number, at, actor, act, phase, reason }) => (
                <Text key={`${merchantId} ${number}`} size="sm">
                  <Moment at={at} isShort /> · {actorName(payment, actor)} · <ActName act={act} />{' '}
                  <StateBadge state={phase} />
                  {reason === null ? null : <span className="muted"> {reason}</span>}
                </Text>
              ))}
            </Stack>
          );
        }}
      </Shown>
    </Panel>
  );
}

function Nothing({ children }: { children: string }) {
  return <p className="small muted">{children}</p>;
}
