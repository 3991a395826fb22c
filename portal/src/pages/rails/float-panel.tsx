/** The rail's prefunded balances, each with the time that it lasts and the threshold of its alert. */
import type { Rail, RailFloat } from '../../../../gateway/contract/endpoints/rails.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { daysOf, forecastOf } from './forecast.ts';
import { useLastWeek } from './forecast-panels.tsx';

const words = operatorPages.rails;

export function FloatPanel({ rail: { name, floats } }: { rail: Rail }) {
  const may = useMay();
  const isForecast = may('ledger:read');
  const columns: readonly Column<RailFloat>[] = [
    {
      label: words.balance,
      cell: ({ amount, currency, isLow }) => (
        <span className={isLow ? 'late' : undefined}>
          {amount === null ? words.neverRead : <Money amount={amount} currency={currency} />}
        </span>
      ),
      isEnd: true,
    },
    ...(isForecast
      ? [{ label: words.lastsFor, cell: (float: RailFloat) => <Lasts rail={name} {...float} />, isEnd: true }]
      : []),
    { label: words.readAt, cell: ({ readAt }) => <Moment at={readAt} /> },
    {
      label: words.threshold,
      cell: ({ threshold, currency }) =>
        threshold === null ? (
          <span className="muted">{words.noAlert}</span>
        ) : (
          <Money amount={threshold} currency={currency} />
        ),
      isEnd: true,
    },
    ...(may('rails:write')
      ? [
          {
            label: words.act,
            cell: ({ currency, threshold }: RailFloat) => (
              <ActButton
                act="rails.setThreshold"
                params={{ rail: name, currency }}
                label={words.change}
                name={`${words.change}: ${words.threshold} ${currency}`}
                text={words.thresholdText}
                fields={[{ name: 'threshold', label: `${words.threshold}, ${currency}`, initial: threshold ?? '' }]}
                bodyOf={({ threshold: text = '' }) => ({ threshold: text === '' ? null : text })}
                button={{ size: 'compact-xs' }}
              />
            ),
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Panel title={words.floats}>
      <Table
        empty={words.noFloat}
        label={words.floats}
        columns={columns}
        items={floats}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

/** The time until the balance is spent, at the pace of the last week. */
function Lasts({ rail, amount, currency }: Pick<RailFloat, 'amount' | 'currency'> & { readonly rail: string }) {
  const { now, volumes } = useLastWeek(amount !== null);
  if (amount === null || !volumes.data) return null;
  const own = volumes.data.items.filter((volume) => volume.rail === rail);
  const { emptyAt, perDay } = forecastOf(amount, currency, own, now);
  if (emptyAt === null) return words.lasts(daysOf(amount, perDay));
  return (
    <span className="late">
      {words.emptyAt} <Moment at={emptyAt} isShort />
    </span>
  );
}
