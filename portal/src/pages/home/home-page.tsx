/**
 * The home page of a merchant, and the operator's page Today: today compared with a week ago, pending and late work, and a
 * chart of thirty days.
 */
import { lazy, Suspense, useState } from 'react';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { now as currentTime } from '../../browser.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { Card } from '../../parts/elements/elements.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Segments } from '../../parts/elements/segments.tsx';
import { Table } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { payoutPath } from '../../parts/links/paths.ts';
import { Loading } from '../../parts/loading/loading.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped, Money } from '../../parts/money/money.tsx';
import { currenciesOf, medianWaitOf, paidOf, perDay, successRateOf } from '../../parts/money/volumes.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { atMost, percent } from '../../parts/time/duration.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';
import { PENDING, periodsAt } from './home-reads.ts';
import { NeedsMerchant } from './needs-merchant.tsx';
import { Spark } from './spark.tsx';

/** Not loaded for merchant users. */
const InboxCounts = lazy(() => import('../inbox/inbox-counts.tsx'));
/** Not loaded before the figures. */
const LatePayouts = lazy(() => import('./late-payouts.tsx'));

export default function HomePage() {
  const may = useMay();
  const { home } = useWords();
  return (
    <div className="stack">
      {may('ledger:read') ? <Figures title={home.title} /> : <PageTitle>{home.title}</PageTitle>}
      <div className="home-columns">
        {may('payouts:read') ? <PendingPayouts /> : null}
        <NeedsYou />
      </div>
    </div>
  );
}

interface FiguresProps {
  readonly title: string;
  /** If undefined, the figures cover all merchants that the user may see. */
  readonly merchantId?: string;
  /** True if the page already has an h1. */
  readonly isPart?: boolean;
}

export function Figures({ title, merchantId, isPart = false }: FiguresProps) {
  const { home, charts } = useWords();
  const whose = merchantId === undefined ? {} : { merchantId };
  const [now] = useState(() => currentTime().getTime());
  const { today, lastWeek, thirty, days } = periodsAt(now);
  const month = useReading('volumes.list', { query: { ...thirty, ...whose } });
  const current = useReading('volumes.list', { query: { ...today, ...whose } });
  const before = useReading('volumes.list', { query: { ...lastWeek, ...whose } });
  const currencies = currenciesOf(month.data?.items ?? []);
  const [chosen, setChosen] = useState('');
  const currency = chosen || (currencies[0] ?? '');
  return (
    <div className="stack">
      <div className="row apart">
        <PageTitle isPart={isPart}>{title}</PageTitle>
        {currencies.length > 1 ? (
          <Segments
            label={home.currency}
            value={currency}
            options={currencies.map((each) => [each, each])}
            choose={setChosen}
          />
        ) : null}
      </div>
      <Shown of={current}>
        {({ items, waitBucketsMs, closedUntil }) => (
          <>
            <Tiles
              today={items}
              before={before.data?.items ?? []}
              month={month.data?.items ?? []}
              days={days}
              currency={currency}
              bucketsMs={waitBucketsMs}
            />
            <p className="tiny muted">
              {closedUntil === null ? home.notCounted : home.closedUntil}{' '}
              {closedUntil === null ? null : <Moment at={closedUntil} />}
            </p>
          </>
        )}
      </Shown>
      {currency === '' ? null : (
        <Panel
          title={`${home.thirtyDays}, ${currency}`}
          side={merchantId === undefined ? <PageLink to="/charts">{charts.title}</PageLink> : null}
        >
          <Chart
            title={`${home.thirtyDays}, ${currency}`}
            file={`days-${currency}`}
            labels={days}
            series={(['payout', 'deposit'] as const).map((flow) => {
              const amounts = perDay(month.data?.items ?? [], flow, currency, days);
              return {
                name: flow === 'payout' ? home.paidOut : home.paidIn,
                values: amounts.map(Number),
                texts: amounts.map(grouped),
              };
            })}
          />
        </Panel>
      )}
    </div>
  );
}

interface TilesProps {
  readonly today: readonly Volume[];
  readonly before: readonly Volume[];
  readonly month: readonly Volume[];
  readonly days: readonly string[];
  readonly bucketsMs: readonly number[];
  readonly currency: string;
}

interface Tile {
  readonly name: string;
  readonly unit: string;
  readonly figure: (volumes: readonly Volume[]) => string;
  /** The values for the line of the last two weeks. */
  readonly value: (volumes: readonly Volume[]) => number | null;
}

function Tiles({ today, before, month, days, bucketsMs, currency }: TilesProps) {
  const { home, charts } = useWords();
  const paid = (flow: 'payout' | 'deposit') => (volumes: readonly Volume[]) => grouped(paidOf(volumes, flow, currency));
  const rate = (volumes: readonly Volume[]) => percent(successRateOf(volumes, currency));
  const median = (volumes: readonly Volume[]) => atMost(medianWaitOf(volumes, bucketsMs, currency), charts.units);
  const amountOf = (flow: 'payout' | 'deposit') => (volumes: readonly Volume[]) =>
    Number(paidOf(volumes, flow, currency));
  const tiles: readonly Tile[] = [
    { name: home.paidOut, unit: currency, figure: paid('payout'), value: amountOf('payout') },
    { name: home.paidIn, unit: currency, figure: paid('deposit'), value: amountOf('deposit') },
    { name: home.successRate, unit: '', figure: rate, value: (its) => successRateOf(its, currency) },
    { name: home.median, unit: '', figure: median, value: (its) => medianWaitOf(its, bucketsMs, currency) },
  ];
  const twoWeeks = days.slice(-14).map((day) => month.filter(({ start }) => start.startsWith(day)));
  return (
    <div className="tiles">
      {tiles.map(({ name, unit, figure, value }) => (
        <Card key={name}>
          <p className="small muted">{name}</p>
          <p className="figure">
            {figure(today)} <span className="muted">{unit}</span>
          </p>
          <p className="tiny muted">
            {home.against}: {figure(before)}
          </p>
          <Spark values={twoWeeks.map(value)} />
        </Card>
      ))}
    </div>
  );
}

/** The late payouts come first. `of` filters by a merchant. Without it, the lists contain all payouts that the user may see. */
export function PendingPayouts({ of = {} }: { of?: { readonly merchantId?: string } }) {
  const { home, payouts } = useWords();
  const isOfMany = useSession().merchantId === null && of.merchantId === undefined;
  const pending = useReading('payouts.list', { query: { ...PENDING, ...of } });
  const all = `/payouts?${new URLSearchParams({ state: 'pending', ...of })}` as const;
  return (
    <div className="stack">
      <Suspense>
        <LatePayouts of={of} />
      </Suspense>
      <Panel title={home.pending} side={<PageLink to={all}>{home.allPending}</PageLink>}>
        <Shown of={pending}>
          {({ items }) => (
            <Table
              empty={home.noPending}
              label={home.pending}
              columns={[
                {
                  label: payouts.id,
                  cell: ({ merchantId, payoutId }) => (
                    <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>
                  ),
                },
                ...(isOfMany ? [merchantColumn(payouts.merchant)] : []),
                { label: payouts.amount, cell: (payout) => <Money {...payout} />, isEnd: true },
                { label: payouts.to, cell: ({ account }) => account },
                { label: payouts.accepted, cell: ({ acceptedAt }) => <Moment at={acceptedAt} isShort /> },
              ]}
              items={items}
              keyOf={({ merchantId, payoutId }) => `${merchantId}/${payoutId}`}
            />
          )}
        </Shown>
      </Panel>
    </div>
  );
}

/** The pending work of this user, as far as they may see it. Operator users see the counts of their inbox. */
function NeedsYou() {
  const isOperator = useSession().merchantId === null;
  return isOperator ? (
    <Suspense fallback={<Loading />}>
      <InboxCounts />
    </Suspense>
  ) : (
    <NeedsMerchant />
  );
}
