/** The delivery attempts of a callback, with the exact signed bytes and the response. */
import { Code, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useWords } from '../../words/words.ts';
import { Shown } from '../loading/shown.tsx';
import { Moment } from '../time/moment.tsx';

type Delivery = Answer<'callbacks.show'>['deliveries'][number];

export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { callbacks, tester, charts } = useWords();
  if (deliveries.length === 0) return <p className="small muted">{callbacks.noDeliveries}</p>;
  return (
    <Stack gap="md">
      {deliveries.map(({ attempt, startedAt, latencyMs, httpStatus, outcome, reply, sent }) => (
        <div key={attempt}>
          <Text size="sm" fw={600}>
            {attempt}. {tester.outcomes[outcome] ?? outcome}
            {httpStatus === null ? null : ` · HTTP ${httpStatus}`} · {Math.round(latencyMs)} {charts.units.ms}
          </Text>
          <Text size="sm" className="muted">
            <Moment at={startedAt} />
          </Text>
          {sent === null ? null : <Bytes label={callbacks.sent} text={textOf(sent)} />}
          {reply === '' ? null : <Bytes label={callbacks.reply} text={reply} />}
        </div>
      ))}
    </Stack>
  );
}

export function DeliveriesOf({ merchantId, callbackId }: { merchantId: string; callbackId: string }) {
  const callback = useReading('callbacks.show', { params: { merchantId, callbackId } });
  return <Shown of={callback}>{({ deliveries }) => <Deliveries deliveries={deliveries} />}</Shown>;
}

export function Bytes({ label, text }: { label: string; text: string }) {
  return (
    <Code block mt={4} className="code" aria-label={label}>
      {text}
    </Code>
  );
}

/** Formats the request as in HTTP. */
function textOf({ method, url, headers, body }: NonNullable<Delivery['sent']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, '', body ?? ''].join('\n').trimEnd();
}
