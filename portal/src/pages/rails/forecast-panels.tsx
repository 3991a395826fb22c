/** The forecast of each prefunded balance, from the payments of the last seven days. */
import { useState } from 'react';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { useReading } from '../../api/queries.ts';
import { now as currentTime, DAY_MS } from '../../browser.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { forecastOf } from './forecast.ts';

const words = operatorPages.rails;

/** Returns the payments of the last seven days by hour, on which each forecast is based. */
export function useLastWeek(isWanted: boolean) {
  const [now] = useState(() => currentTime().getTime());
  const from = new Date(Math.floor(now / DAY_MS) * DAY_MS - 7 * DAY_MS).toISOString();
  return { now, volumes: useReading('volumes.list', { query: { from, by: 'hour' } }, isWanted) };
}

export function ForecastPanels({ rail: { name, floats } }: { rail: Rail }) {
  const known = floats.flatMap(({ amount, ...float }) => (amount === null ? [] : [{ ...float, amount }]));
  const { now, volumes } = useLastWeek(known.length > 0);
  if (known.length === 0) return null;
  return (
    <Shown of={volumes}>
      {({ items }) => {
        const own = items.filter(({ rail }) => rail === name);
        return known.map(({ currency, amount, threshold }) => {
          const { hours } = forecastOf(amount, currency, own, now);
          const title = `${words.forecast}, ${currency}`;
          const line = (values: readonly number[]) => ({
            values,
            texts: values.map((value) => grouped(value.toFixed(2))),
          });
          return (
            <Panel key={currency} title={title}>
              <Chart
                title={title}
                file={`forecast-${name}-${currency}`}
                kind="line"
                labels={hours.map(({ at }) => at.slice(0, 16).replace('T', ' '))}
                series={[
                  { name: words.balance, ...line(hours.map(({ balance }) => balance)) },
                  ...(threshold === null
                    ? []
                    : [{ name: words.threshold, ...line(hours.map(() => Number(threshold))) }]),
                ]}
              />
              <p className="tiny muted">{words.forecastText}</p>
            </Panel>
          );
        });
      }}
    </Shown>
  );
}
