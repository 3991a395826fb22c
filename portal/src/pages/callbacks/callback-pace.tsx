/** How many callbacks the merchant's server accepted and how fast it responded, by hour. */
import { useReading } from '../../api/queries.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { useWords } from '../../words/words.ts';

export function CallbackPace({ merchantId }: { merchantId: string }) {
  const { charts } = useWords();
  const pace = useReading('callbacks.pace', { params: { merchantId } });
  const { attempts, accepted } = charts;
  const panels = [
    { title: charts.acceptance, file: 'callback-attempts', unit: '', parts: { attempts, accepted } },
    {
      title: charts.pace,
      file: 'callback-latency',
      unit: ` ${charts.units.ms}`,
      parts: { halfMs: 'p50', mostMs: 'p95' },
    },
  ] as const;
  return panels.map(({ title, file, unit, parts }) => (
    <Panel key={file} title={title}>
      <Shown of={pace}>
        {({ callbacks, items }) =>
          items.length === 0 ? (
            <p className="small muted">{charts.noAttempts}</p>
          ) : (
            <>
              <Chart
                {...{ title, file, unit }}
                kind="bars"
                labels={items.map(({ start }) => `${start.slice(0, 13).replace('T', ' ')}:00`)}
                series={Object.entries(parts).map(([part, name]) => {
                  const values = items.map((item) => item[part as keyof typeof item] as number);
                  return { name, values, texts: values.map((value) => `${value}${unit}`) };
                })}
              />
              <p className="tiny muted">{charts.counted(String(callbacks))}</p>
            </>
          )
        }
      </Shown>
    </Panel>
  ));
}
