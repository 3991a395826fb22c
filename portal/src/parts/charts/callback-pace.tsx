/** How long the merchant's server took to answer callbacks, by hour. */
import { Text } from '@mantine/core';
import { useReading } from '../../api/queries.ts';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../details.tsx';
import { Shown } from '../states.tsx';
import { Chart } from './chart.tsx';

export function CallbackPace({ merchantId }: { merchantId: string }) {
  const { charts } = useWords();
  const pace = useReading('callbacks.pace', { params: { merchantId } });
  return (
    <Panel title={charts.pace}>
      <Shown of={pace}>
        {({ callbacks, items }) =>
          items.length === 0 ? (
            <Text size="sm" className="muted">
              {charts.noAttempts}
            </Text>
          ) : (
            <>
              <Chart
                title={charts.pace}
                file="callback-latency"
                kind="bars"
                unit={` ${charts.units.ms}`}
                labels={items.map(({ start }) => `${start.slice(0, 13).replace('T', ' ')}:00`)}
                series={[
                  {
                    name: 'p50',
                    ...shown(
                      items.map(({ halfMs }) => halfMs),
                      charts.units,
                    ),
                  },
                  {
                    name: 'p95',
                    ...shown(
                      items.map(({ mostMs }) => mostMs),
                      charts.units,
                    ),
                  },
                ]}
                notes={[
                  { name: charts.attempts, texts: items.map(({ attempts }) => String(attempts)) },
                  { name: charts.accepted, texts: items.map(({ accepted }) => String(accepted)) },
                ]}
              />
              <Text size="xs" className="muted">
                {charts.counted(String(callbacks))}
              </Text>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function shown(values: readonly number[], units: Words['charts']['units']) {
  return { values, texts: values.map((value) => `${value} ${units.ms}`) };
}
