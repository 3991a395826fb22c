/** A merchant's balances now or at any instant, their history, and the statements of a day or month. */
import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BalancesAt } from '../../../../gateway/contract/endpoints/ledger.ts';
import { type Answer, fileAddress } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { now } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { type Filters, setFilters, useAddressFilters } from '../../parts/links/address.ts';
import { PageLink } from '../../parts/links/page-link.tsx';
import { movementsPath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { changeOf } from '../../parts/money/amounts.ts';
import { grouped, Money } from '../../parts/money/money.tsx';
import { MerchantHead, useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';

const PARTS = ['available', 'reserved', 'owed', 'total'] as const;

export default function BalancesPage() {
  const { balances: words } = useWords();
  const merchantId = useMerchantId();
  const filters = useAddressFilters();
  // Local state: the URL changes later than the input, and would discard digits of a year that is being typed.
  const [at, setAt] = useState(filters['at'] ?? '');
  const choose = (next: Filters) =>
    setFilters(Object.fromEntries(Object.entries({ ...filters, ...next }).filter(([, value]) => value !== '')), {
      replace: true,
    });
  const query = Number.isNaN(Date.parse(at)) ? {} : { at: new Date(at).toISOString() };
  const balances = useReading('balances.show', { params: { merchantId }, query });
  const present = useReading('balances.show', { params: { merchantId } }, at !== '');
  const history = useReading('balances.history', { params: { merchantId }, query: { days: 30 } });
  const held = balances.data?.balances.map((balance) => balance.currency) ?? [];
  const currencies = [...new Set([...busiestFirst(history.data?.items ?? []), ...held])];
  const currency = filters['currency'] || (currencies[0] ?? '');
  const choice =
    currencies.length > 1 ? (
      <NativeSelect
        size="xs"
        aria-label={words.currency}
        data={currencies}
        value={currency}
        onChange={({ currentTarget }) => choose({ currency: currentTarget.value })}
      />
    ) : null;
  return (
    <Stack>
      <MerchantHead
        title={words.title}
        side={
          <Group align="flex-end" gap="xs">
            {useMay()('funds:write') ? <FundingButtons merchantId={merchantId} /> : null}
            <TextInput
              size="xs"
              type="datetime-local"
              label={words.at}
              value={at}
              onChange={({ currentTarget: { value } }) => {
                setAt(value);
                choose({ at: value });
              }}
            />
          </Group>
        }
      />
      <Paper withBorder>
        <Shown of={balances}>{(answer) => <BalanceTable answer={answer} present={present.data} at={at} />}</Shown>
      </Paper>
      <History currency={currency} history={history} choice={choice} />
      <StatementForm merchantId={merchantId} currency={currency} choice={choice} />
    </Stack>
  );
}

function FundingButtons({ merchantId }: { merchantId: string }) {
  const { merchantActs: words, balances, payouts, reason } = useWords();
  return (['credit', 'debit'] as const).map((act) => (
    <ActButton
      key={act}
      act={`funds.${act}`}
      params={{ merchantId }}
      label={words[act]}
      text={words[`${act}Text`]}
      fields={[
        { name: 'amount', label: payouts.amount, isRequired: true },
        { name: 'currency', label: balances.currency, placeholder: 'UAH', isRequired: true },
        { name: 'reference', label: words.reference, hint: words.referenceHint, isRequired: true },
        { name: 'reason', label: reason, isRequired: true, isLong: true },
      ]}
      bodyOf={({ amount = '', currency = '', reference = '', reason: why = '' }) => ({
        amount,
        currency,
        reference,
        reason: why,
      })}
      button={{ size: 'xs' }}
    />
  ));
}

type BalanceTableProps = Readonly<{ answer: BalancesAt; present: BalancesAt | undefined; at: string }>;

/**
 * Balances of an earlier time also show the change until now, with a link to the movements. `at` is in the viewer's time zone.
 */
function BalanceTable({ answer: { balances, at: time, isFinal }, present, at }: BalanceTableProps) {
  const { balances: words, movements } = useWords();
  const merchantId = useMerchantId();
  const whose: Readonly<Record<string, string>> = useSession().merchantId === null ? { merchantId } : {};
  // Currencies that were added later had no balance then.
  const later = present?.balances.filter((its) => !balances.some(({ currency }) => currency === its.currency)) ?? [];
  const zero = (amount: string) => amount.replace(/^-?\d+/, '0').replace(/[1-9]/g, '0');
  const zeros = (its: (typeof later)[number]) => Object.fromEntries(PARTS.map((part) => [part, zero(its[part])]));
  const items = [...balances, ...later.map((its) => ({ ...its, ...zeros(its) }))];
  if (items.length === 0) return <Empty>{words.empty}</Empty>;
  const columnOf = (part: (typeof PARTS)[number]): Column<BalancesAt['balances'][number]> => ({
    label: words[part],
    isEnd: true,
    cell: ({ currency, [part]: amount }) => {
      const of = { ...whose, currency, ...(part === 'total' ? {} : { account: part }) };
      const now = present?.balances.find((each) => each.currency === currency)?.[part];
      const change = now === undefined ? null : changeOf(amount, now);
      return (
        <>
          <PageLink to={movementsPath(at === '' ? of : { ...of, to: at })}>
            <Money amount={amount} currency={currency} />
          </PageLink>
          {change === null ? null : (
            <div className="tiny">
              <PageLink to={movementsPath({ ...of, from: at.replace('T00:00', '') })}>
                {words.since(grouped(change))}
              </PageLink>
            </div>
          )}
        </>
      );
    },
  });
  return (
    <>
      <Table
        label={words.title}
        columns={[{ label: words.currency, cell: ({ currency }) => currency }, ...PARTS.map(columnOf)]}
        items={items}
        keyOf={({ currency }) => currency}
      />
      <Group justify="space-between" p="sm">
        <span className="tiny muted">
          <Moment at={time} /> · {isFinal ? words.final : words.notFinal}
        </span>
        <PageLink to={movementsPath(whose)}>{movements.all}</PageLink>
      </Group>
    </>
  );
}

/** Returns the currencies of the last days, starting with the one whose total changed most often. */
function busiestFirst(days: Answer<'balances.history'>['items']): string[] {
  const totals = [...Map.groupBy(days, ({ currency }): string => currency)];
  const changes = totals.map(([currency, its]) => ({ currency, count: new Set(its.map(({ total }) => total)).size }));
  return changes.sort((one, other) => other.count - one.count).map(({ currency }) => currency);
}

interface Chosen {
  readonly currency: string;
  /** The currency selector. */
  readonly choice: ReactNode;
}

type HistoryProps = Chosen & { readonly history: ReturnType<typeof useReading<'balances.history'>> };

/** Shows one currency at a time, because amounts of different currencies cannot be compared. */
function History({ currency, history, choice }: HistoryProps) {
  const { balances: words, charts } = useWords();
  const days = history.data?.items.filter((each) => each.currency === currency) ?? [];
  const title = `${charts.balances}, ${currency}`;
  if (history.data && days.length === 0) return null;
  return (
    <Panel title={title} side={choice}>
      <Shown of={history}>
        {() => (
          <Chart
            title={title}
            file={`balance-${currency}`}
            kind="line"
            labels={days.map(({ at }) => at.slice(0, 10))}
            series={(['total', 'available', 'reserved'] as const).map((name) => ({
              name: words[name],
              values: days.map((day) => Number(day[name])),
              texts: days.map((day) => grouped(day[name])),
            }))}
          />
        )}
      </Shown>
    </Panel>
  );
}

/** Selects a month or day for the statement, in UTC like the hours of the ledger. */
function StatementForm({ merchantId, currency, choice }: Chosen & { merchantId: string }) {
  const { balances: words } = useWords();
  const [span, setSpan] = useState<keyof typeof DATE_LENGTHS>('month');
  const [day, setDay] = useState(() => now().toISOString().slice(0, DATE_LENGTHS.date));
  if (currency === '') return null;
  const period = periodOf(day, span);
  return (
    <Panel title={`${words.statement}, ${currency}`} side={choice}>
      <Group align="flex-end">
        <NativeSelect
          size="xs"
          label={words.period}
          data={[
            { value: 'month', label: words.month },
            { value: 'date', label: words.day },
          ]}
          value={span}
          onChange={({ currentTarget }) => setSpan(currentTarget.value as typeof span)}
        />
        <TextInput
          size="xs"
          type={span}
          label={span === 'month' ? words.month : words.day}
          value={day.slice(0, DATE_LENGTHS[span])}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') setDay(span === 'month' ? `${value}-01` : value);
          }}
        />
        {['pdf', 'xlsx', 'csv', 'json'].map((format) => (
          <Button
            key={format}
            component="a"
            download
            size="xs"
            variant="default"
            href={fileAddress('statements.show', { merchantId }, { currency, format, ...period })}
          >
            {words.download} {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      <Group gap="lg" mt="sm">
        <End name={words.opening} {...{ merchantId, currency }} at={period.from} />
        <End name={words.closing} {...{ merchantId, currency }} at={period.until} />
      </Group>
    </Panel>
  );
}

interface EndProps {
  readonly name: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly at: string;
}

/** The total at one end of the statement. A period that has not ended closes now. */
function End({ name, merchantId, currency, at }: EndProps) {
  const query = at > now().toISOString() ? {} : { at };
  const balances = useReading('balances.show', { params: { merchantId }, query }).data?.balances;
  const total = balances?.find((balance) => balance.currency === currency)?.total ?? '0.00';
  return (
    <Text size="sm">
      {name}: {balances ? <Money amount={total} currency={currency} /> : null}
    </Text>
  );
}

/** The lengths of a date in each type of input. */
const DATE_LENGTHS = { month: 7, date: 10 } as const;

function periodOf(day: string, span: keyof typeof DATE_LENGTHS) {
  const [year = 0, month = 1, date = 1] = day.slice(0, DATE_LENGTHS[span]).split('-').map(Number);
  const end = span === 'month' ? Date.UTC(year, month) : Date.UTC(year, month - 1, date + 1);
  return { from: new Date(Date.UTC(year, month - 1, date)).toISOString(), until: new Date(end).toISOString() };
}
