/** The trial balance of the whole ledger: every account as a debit or a credit, at any time. */
import { Alert, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { movementsPath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/states.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';

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
  const [at, setAt] = useState('');
  const query = at === '' ? {} : { at: new Date(at).toISOString() };
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <div>
          <PageTitle>{words.title}</PageTitle>
          <PageLink to={movementsPath({})}>{words.movements}</PageLink>
        </div>
        <TextInput
          size="xs"
          type="datetime-local"
          label={words.at}
          value={at}
          onChange={({ currentTarget }) => setAt(currentTarget.value)}
        />
      </Group>
      <Shown of={useReading('ledger.trialBalance', { query })}>{(answer) => <Trial answer={answer} />}</Shown>
      <Checks act="books.verify" title={words.invariants} button={words.check} />
      {useMay()('audit:read') ? <Checks act="audit.verify" title={words.chains} button={words.check} /> : null}
    </Stack>
  );
}

type Invariant = Answer<'books.verify'>['invariants'][number];

const INVARIANT_COLUMNS: readonly Column<Invariant>[] = [
  { label: words.invariant, cell: ({ name, meaning }) => meaning || name },
  { label: words.result, cell: ({ holds }) => <StateBadge state={holds ? 'holds' : 'broken'} /> },
  { label: words.offending, cell: ({ offending }) => <span className="code">{offending.map(shown).join(' ')}</span> },
];

const shown = (row: object) => JSON.stringify(row);

/** Checking reads the whole ledger, so it begins only on request. */
function Checks({ act, title, button }: { act: 'books.verify' | 'audit.verify'; title: string; button: string }) {
  const [isAsked, setAsked] = useState(false);
  const checked = useReading(act, {}, isAsked);
  const ask = () => (isAsked ? void checked.refetch() : setAsked(true));
  return (
    <Panel
      title={title}
      side={
        <Button
          size="compact-sm"
          variant="default"
          loading={checked.isFetching}
          onClick={ask}
          aria-label={`${button}: ${title}`}
        >
          {button}
        </Button>
      }
    >
      {isAsked ? (
        <Shown of={checked}>
          {({ invariants }) => (
            <Table label={title} columns={INVARIANT_COLUMNS} items={invariants} keyOf={({ name }) => name} />
          )}
        </Shown>
      ) : (
        <Text size="sm" className="muted">
          {words.unchecked}
        </Text>
      )}
    </Panel>
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
          label={words.title}
          columns={COLUMNS}
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

const COLUMNS: readonly Column<Row>[] = [
  { label: words.currency, cell: ({ currency }) => currency },
  {
    label: words.account,
    cell: ({ account, currency }) =>
      account === null ? (
        <strong>{words.total}</strong>
      ) : (
        <PageLink to={movementsPath({ account, currency })}>{account}</PageLink>
      ),
  },
  { label: words.debit, cell: (row) => <Side amount={row.debit} isTotal={row.account === null} />, isEnd: true },
  { label: words.credit, cell: (row) => <Side amount={row.credit} isTotal={row.account === null} />, isEnd: true },
];

/** An account has its balance on one side; the other stays empty. */
function Side({ amount, isTotal }: { amount: string; isTotal: boolean }) {
  if (isTotal) return <strong className="money">{grouped(amount)}</strong>;
  return /[1-9]/.test(amount) ? <span className="money">{grouped(amount)}</span> : null;
}
