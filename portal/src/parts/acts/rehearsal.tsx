/** An action's dry run: its journal, the balances after it, the policy's change, or why it is impossible. */
import { Alert, Stack, Text } from '@mantine/core';
import type { Rehearsal } from '../../../../gateway/contract/parts/rehearsals.ts';
import { useWords } from '../../words/words.ts';
import { type Column, Table } from '../elements/table.tsx';
import { Money } from '../money/money.tsx';
import { accountName } from '../names/account-name.ts';
import { type ChangedPart, changedParts } from './changed-parts.ts';

type Posting = Rehearsal['postings'][number];
type BalanceAfter = Rehearsal['balances'][number];

export function RehearsalShown({ rehearsal }: { rehearsal: Rehearsal }) {
  const { rehearsal: words } = useWords();
  const { problem, postings, balances, change } = rehearsal;
  if (problem)
    return (
      <Alert color="red" variant="light" title={words.impossible} role="status">
        {problem.detail}
      </Alert>
    );
  return (
    <Stack gap="xs" role="status">
      {postings.length > 0 ? <Postings postings={postings} /> : null}
      {balances.length > 0 ? <Balances balances={balances} /> : null}
      {change ? <Change {...change} /> : null}
      {postings.length === 0 && !change ? <Text size="sm">{words.nothing}</Text> : null}
    </Stack>
  );
}

function Postings({ postings }: { postings: Rehearsal['postings'] }) {
  const { rehearsal: words, ...all } = useWords();
  const columns: readonly Column<Posting>[] = [
    { label: words.kind, cell: ({ kind }) => all.transferKinds[kind] ?? kind },
    { label: words.debit, cell: ({ debit }) => accountName(debit, all) },
    { label: words.credit, cell: ({ credit }) => accountName(credit, all) },
    { label: words.amount, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isEnd: true },
  ];
  return (
    <Table
      label={words.journal}
      columns={columns}
      items={postings}
      keyOf={(posting) => JSON.stringify([postings.indexOf(posting), posting.kind])}
    />
  );
}

function Balances({ balances }: { balances: Rehearsal['balances'] }) {
  const words = useWords();
  const column = (name: 'available' | 'reserved' | 'owed'): Column<BalanceAfter> => ({
    label: words.balances[name],
    cell: (balance) => <Money amount={balance[name]} currency={balance.currency} />,
    isEnd: true,
  });
  return (
    <Table
      label={words.rehearsal.balancesAfter}
      columns={[
        { label: words.rehearsal.balancesAfter, cell: ({ merchantId }) => merchantId },
        column('available'),
        column('reserved'),
        column('owed'),
      ]}
      items={balances}
      keyOf={({ merchantId, currency }) => `${merchantId} ${currency}`}
    />
  );
}

function Change({ before, after }: { before: unknown; after: unknown }) {
  const { rehearsal: words } = useWords();
  const side = (name: 'before' | 'after'): Column<ChangedPart> => ({
    label: words[name],
    cell: (part) => part[name] ?? <span className="muted">–</span>,
  });
  const parts = changedParts(before, after);
  if (parts.length === 0) return <Text size="sm">{words.unchanged}</Text>;
  return (
    <Table
      label={words.change}
      columns={[
        { label: words.change, cell: ({ path }) => <span className="code">{path}</span> },
        side('before'),
        side('after'),
      ]}
      items={parts}
      keyOf={({ path }) => path}
    />
  );
}
