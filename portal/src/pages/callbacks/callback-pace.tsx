/** How long the merchant's server took to respond to callbacks, by hour. */
import { Text } from '@mantine/core';
import { useReading } from '../../api/queries.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { useWords } from '../../words/words.ts';

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
                series={(['halfMs', 'mostMs'] as const).map((part) => ({
                  name: part === 'halfMs' ? 'p50' : 'p95',
                  values: items.map((item) => item[part]),
                  texts: items.map((item) => `${item[part]} ${charts.units.ms}`),
                }))}
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
