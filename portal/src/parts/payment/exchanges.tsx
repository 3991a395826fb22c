/** The provider exchanges of each attempt of a payment. Only operator users see them. */
import './evidence.css';
import { Group, Stack, Text } from '@mantine/core';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ofOperator } from '../../words/operator/in-merchant-pages.ts';
import { Panel } from '../elements/panel.tsx';
import { LazySection } from '../loading/lazy-section.tsx';
import { Shown } from '../loading/shown.tsx';
import { Moment } from '../time/moment.tsx';
import { Bytes } from './deliveries.tsx';

const words = ofOperator.exchanges;

interface Attempt {
  readonly attempt: number;
  readonly rail: string;
  readonly reference: string;
}

export function ExchangePanel({ attempts }: { attempts: readonly Attempt[] }) {
  const isOperators = useSession().merchantId === null;
  if (!useMay()('payouts:read') || !isOperators || attempts.length === 0) return null;
  return (
    <Panel title={words.title}>
      <Stack gap="sm">
        {attempts.map(({ attempt, rail, reference }) => (
          <div key={attempt} className="evidence">
            <Text size="sm">
              {attempt}. {rail} <span className="muted">{reference}</span>
            </Text>
            <LazySection summary={words.show}>
              <Exchanges rail={rail} reference={reference} />
            </LazySection>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Exchanges({ rail, reference }: Omit<Attempt, 'attempt'>) {
  const found = useReading('rails.exchanges', { params: { rail, reference } });
  return (
    <Shown of={found}>
      {({ items }) => (
        <Stack gap="md">
          {items.length === 0 ? <Text size="sm">{words.none}</Text> : null}
          {items.map(({ at, call, answer, durationMs, method, path, request, status, reply, failure }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only ever added at the end
            <div key={index}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {call}: {answer}
                </Text>
                <Text size="sm" className="muted">
                  {status === null ? failure : `HTTP ${status}`} · {durationMs} ms · <Moment at={at} isShort />
                </Text>
              </Group>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {method} {path}
              </Text>
              {request === '' ? null : <Bytes label={words.request} text={request} />}
              {reply === '' ? null : <Bytes label={words.reply} text={reply} />}
            </div>
          ))}
        </Stack>
      )}
    </Shown>
  );
}
