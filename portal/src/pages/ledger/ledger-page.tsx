/** The checks of the books, and the trial balance of the entire ledger: every account as a debit or a credit, at any time. */
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { movementsPath } from '../../parts/links/paths.ts';
import { LazySection } from '../../parts/loading/lazy-section.tsx';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { accountName } from '../../parts/names/account-name.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

const words = operatorPages.ledger;

type TrialBalance = Answer<'ledger.trialBalance'>;

/** An account, or the total of a currency. */
interface Row {
  readonly currency: string;
  readonly account: string | null;
  readonly debit: string;
  readonly credit: string;
}

export default function LedgerPage() {
  const mayRead = useMay()('audit:read');
  return (
    <Stack>
      <div>
        <PageTitle>{words.title}</PageTitle>
        <PageLink to={movementsPath({})}>{words.movements}</PageLink>
      </div>
      <SimpleGrid cols={{ base: 1, md: mayRead ? 2 : 1 }}>
        <Checks act="books.verify" title={words.invariants} hint={words.unchecked} />
        {mayRead ? <Checks act="audit.verify" title={words.chains} hint={words.uncheckedChains} /> : null}
      </SimpleGrid>
      <TrialBalance />
    </Stack>
  );
}

function TrialBalance() {
  const [at, setAt] = useState('');
  const query = at === '' ? {} : { at: new Date(at).toISOString() };
  return (
    <>
      <Group justify="space-between" align="flex-end">
        <PageTitle isPart>{words.trial}</PageTitle>
        <TextInput
          size="xs"
          type="datetime-local"
          label={words.at}
          value={at}
          onChange={({ currentTarget }) => setAt(currentTarget.value)}
        />
      </Group>
      <Shown of={useReading('ledger.trialBalance', { query })}>{(answer) => <Trial answer={answer} />}</Shown>
    </>
  );
}

type Invariant = Answer<'books.verify'>['invariants'][number];

const INVARIANT_COLUMNS: readonly Column<Invariant>[] = [
  { label: words.invariant, cell: ({ name, meaning }) => meaning || name },
  { label: words.result, cell: ({ holds }) => <StateBadge state={holds ? 'holds' : 'broken'} /> },
  { label: words.offending, cell: ({ offending }) => <span className="code">{offending.map(shown).join(' ')}</span> },
];

const shown = (row: object) => JSON.stringify(row);

/** Starts only on request, because the check reads the entire ledger. */
function Checks({ act, title, hint }: { act: 'books.verify' | 'audit.verify'; title: string; hint: string }) {
  const [isAsked, setAsked] = useState(false);
  const checked = useReading(act, {}, isAsked);
  const ask = () => (isAsked ? void checked.refetch() : setAsked(true));
  const checkedAt = new Date(checked.dataUpdatedAt).toISOString();
  return (
    <Panel
      title={title}
      side={
        <Button
          size="compact-sm"
          variant="default"
          loading={checked.isFetching}
          onClick={ask}
          aria-label={`${words.check}: ${title}`}
        >
          {words.check}
        </Button>
      }
    >
      {isAsked ? (
        <Shown of={checked}>
          {({ invariants }) => <Findings title={title} invariants={invariants} at={checkedAt} />}
        </Shown>
      ) : (
        <p className="small muted">{hint}</p>
      )}
    </Panel>
  );
}

/** Shows the broken invariants, which need attention, and the others on request. */
function Findings({ title, invariants, at }: { title: string; invariants: readonly Invariant[]; at: string }) {
  const broken = invariants.filter(({ holds }) => !holds);
  const table = (items: readonly Invariant[]) => (
    <Table label={title} columns={INVARIANT_COLUMNS} items={items} keyOf={({ name }) => name} />
  );
  return (
    <>
      <Text size="sm" role="status">
        <StateBadge state={broken.length === 0 ? 'holds' : 'broken'} />{' '}
        {broken.length === 0 ? words.allHold(invariants.length) : words.brokenOf(broken.length, invariants.length)}{' '}
        <span className="muted">
          {words.checkedAt} <Moment at={at} isShort />
        </span>
      </Text>
      {broken.length === 0 ? null : table(broken)}
      <LazySection summary={words.each}>{table(invariants)}</LazySection>
    </>
  );
}

function Trial({ answer: { items, totals, isBalanced, at, isFinal } }: { answer: TrialBalance }) {
  const rows = totals.flatMap((total): Row[] => [
    ...items.filter(({ currency }) => currency === total.currency),
    { ...total, account: null },
  ]);
  return (
    <>
      {isBalanced ? null : <Alert color="red">{words.notBalanced}</Alert>}
      <Paper withBorder>
        <Table
          empty={<Empty>{words.empty}</Empty>}
          label={words.trial}
          columns={columnsOf(useWords())}
          items={rows}
          keyOf={({ currency, account }) => `${currency} ${account}`}
        />
        <Text size="xs" className="muted" p="sm">
          <Moment at={at} /> · {isBalanced ? words.balanced : words.notBalanced} ·{' '}
          {isFinal ? words.final : words.notFinal}
        </Text>
      </Paper>
    </>
  );
}

const columnsOf = (all: Words): readonly Column<Row>[] => [
  { label: words.currency, cell: ({ currency }) => currency },
  {
    label: words.account,
    cell: ({ account, currency }) =>
      account === null ? (
        <strong>{words.total}</strong>
      ) : (
        <PageLink to={movementsPath({ account, currency })}>{accountName(account, all)}</PageLink>
      ),
  },
  { label: words.debit, cell: (row) => <Side amount={row.debit} isTotal={row.account === null} />, isEnd: true },
  { label: words.credit, cell: (row) => <Side amount={row.credit} isTotal={row.account === null} />, isEnd: true },
];

/** An account has its balance on one side; the other side is empty. */
function Side({ amount, isTotal }: { amount: string; isTotal: boolean }) {
  if (isTotal) return <strong className="money">{grouped(amount)}</strong>;
  return /[1-9]/.test(amount) ? <span className="money">{grouped(amount)}</span> : null;
}
