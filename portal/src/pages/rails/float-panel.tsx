/** The prefunded balances of the rail, each with the threshold of its alert. */
import type { Rail, RailFloat } from '../../../../gateway/contract/endpoints/rails.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';

const words = operatorPages.rails;

export function FloatPanel({ rail: { name, floats } }: { rail: Rail }) {
  const may = useMay();
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
