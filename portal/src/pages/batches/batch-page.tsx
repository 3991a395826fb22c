/** One batch: the results of its check row by row, its submission, and its progress until each row has its payout. */
import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { BatchRow, CountedBatch } from '../../../../gateway/contract/endpoints/batches.ts';
import { ROW_STATES_BY_PROGRESS } from '../../../../gateway/contract/texts/states.ts';
import { fileAddress } from '../../api/client.ts';
import { makeStale, reading, usePages } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge, stateColor } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { batchesPath, batchPayoutsPath, payoutPath } from '../../parts/links/paths.ts';
import { type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { actorName, useWords } from '../../words/words.ts';

const IN_WORK: readonly string[] = ['checking', 'submitted'];
const PROGRESS_MS = 1_500;

export default function BatchPage() {
  const { merchantId = '', batchId = '' } = useParams({ strict: false });
  const batch = useQuery({
    ...reading('batches.show', { params: { merchantId, batchId } }),
    refetchInterval: ({ state }) => (state.data && !IN_WORK.includes(state.data.state) ? false : PROGRESS_MS),
  });
  return (
    <Shown of={batch} isPage>
      {(counted) => (
        <Stack>
          <Headline batch={counted} />
          <Picture batch={counted} />
          <Totals batch={counted} />
          <Rows batch={counted} />
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ batch }: { batch: CountedBatch }) {
  const { batches: words, payment } = useWords();
  const { merchantId, name, state, createdAt, createdBy, submittedAt, submittedBy } = batch;
  const isOperator = useSession().merchantId === null;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Crumbs to={isOperator ? batchesPath(merchantId) : '/batches'} title={words.title} name={batch.batchId} />
        <Group gap="sm">
          <PageTitle>{name}</PageTitle>
          <StateBadge state={state} />
        </Group>
        <Text size="sm" className="muted">
          {words.uploaded}: <Moment at={createdAt} />, {actorName(payment, { name: createdBy })}
          {submittedAt === null ? null : (
            <>
              {' · '}
              {words.submitted}: <Moment at={submittedAt} />, {actorName(payment, { name: submittedBy ?? '' })}
            </>
          )}
        </Text>
      </div>
      <Acts batch={batch} />
    </Group>
  );
}

function Acts({ batch: { merchantId, batchId, state, counts } }: { batch: CountedBatch }) {
  const { batches: words, reason } = useWords();
  const may = useMay();
  const params = { merchantId, batchId };
  const result = (
    <Button component="a" variant="default" download href={fileAddress('batches.export', params, {})}>
      {words.result}
    </Button>
  );
  if (!may('payouts:create') || !['checking', 'ready', 'submitted'].includes(state)) return result;
  return (
    <Group gap="xs">
      {result}
      <ActButton
        act="batches.cancel"
        params={params}
        label={words.cancel}
        text={words.cancelText}
        fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true }]}
        bodyOf={({ reason: why = '' }) => ({ reason: why })}
      />
      {state === 'ready' && counts.ready > 0 ? (
        <ActButton
          act="batches.submit"
          params={params}
          label={words.submit}
          text={words.submitText(String(counts.ready))}
          fields={[{ name: 'reason', label: reason, isLong: true }]}
          extra={
            counts.faulty > 0 ? (
              <Checkbox name="skipFaulty" required label={words.skipFaulty(String(counts.faulty))} />
            ) : null
          }
          bodyOf={({ reason: why = '' }, data) => ({
            ...(data.get('skipFaulty') === null ? {} : { skipFaulty: true }),
            ...(why === '' ? {} : { reason: why }),
          })}
          button={{ look: 'filled' }}
        />
      ) : null}
    </Group>
  );
}

/** The rows by state, as one bar with its numbers. */
function Picture({ batch: { merchantId, batchId, rows, counts } }: { batch: CountedBatch }) {
  const { batches: words, payouts, states } = useWords();
  const isOperator = useSession().merchantId === null;
  const present = ROW_STATES_BY_PROGRESS.filter((state) => counts[state] > 0);
  return (
    <Panel title={`${words.rows}: ${rows}`}>
      <Progress.Root size="lg" aria-hidden>
        {present.map((state) => (
          <Progress.Section key={state} value={(100 * counts[state]) / rows} color={stateColor(state)} />
        ))}
      </Progress.Root>
      <Group gap="md" mt="xs" role="status">
        {present.map((state) => (
          <PageLink key={state} to={`?state=${state}`}>
            {states[state]}: {counts[state]}
          </PageLink>
        ))}
        {counts.accepted > 0 ? (
          <PageLink to={batchPayoutsPath(batchId, isOperator ? merchantId : null)}>{payouts.title} →</PageLink>
        ) : null}
      </Group>
    </Panel>
  );
}

function Totals({ batch: { totals, state } }: { batch: CountedBatch }) {
  const { batches: words, payouts, newPayout } = useWords();
  if (totals.length === 0) return null;
  type Total = CountedBatch['totals'][number];
  const money = (name: 'amount' | 'fee' | 'availableAfter', label: string): Column<Total> => ({
    label,
    cell: (total) => <Money amount={total[name]} currency={total.currency} />,
    isEnd: true,
  });
  return (
    <Panel title={newPayout.effects}>
      <Table
        label={newPayout.effects}
        columns={[
          { label: words.rows, cell: ({ rows }) => rows },
          money('amount', payouts.amount),
          money('fee', payouts.fee),
          ...(state === 'ready' ? [money('availableAfter', words.availableAfter)] : []),
        ]}
        items={totals}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

function columnsOf({ batches, payouts, none }: Words, merchantId: string): readonly Column<BatchRow>[] {
  const id = ({ state, payoutId }: BatchRow) =>
    state === 'accepted' && payoutId !== null ? (
      <PageLink to={payoutPath(merchantId, payoutId)}>{payoutId}</PageLink>
    ) : (
      <span className="unbroken">{payoutId || none}</span>
    );
  return [
    { label: batches.row, cell: ({ row }) => row },
    { label: batches.line, cell: ({ line }) => line },
    {
      label: payouts.state,
      cell: ({ state, payoutState, blockedReason }) => (
        <StateBadge state={payoutState ?? state} because={blockedReason} />
      ),
    },
    { label: payouts.id, cell: id },
    { label: payouts.to, cell: ({ account }) => account },
    {
      label: payouts.amount,
      cell: ({ amount, currency }) =>
        amount === null || currency === null ? null : <Money amount={amount} currency={currency} />,
      isEnd: true,
    },
    { label: batches.faults, cell: (row) => <Faults row={row} /> },
  ];
}

function Faults({ row: { faults, warningReason: warning } }: { row: BatchRow }) {
  const { faultTexts } = useWords().batches;
  if (faults.length === 0) return warning === null ? null : faultTexts[warning.code](...warning.values);
  return faults.map(({ field, code, values }) => (
    <div key={field + code}>
      {field === '' || values[0] === field ? null : <span className="code">{field} </span>}
      {faultTexts[code](...values)}
    </div>
  ));
}

function Rows({ batch: { merchantId, batchId, counts } }: { batch: CountedBatch }) {
  const words = useWords();
  const filters: readonly Filter[] = [{ name: 'state', label: words.payouts.state, options: ROW_STATES_BY_PROGRESS }];
  const query = useFilters(filters);
  const pages = usePages('batches.rows', query, { merchantId, batchId });
  const counted = JSON.stringify(counts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a count that changes is what makes the rows stale
  useEffect(() => makeStale(['batches.rows']), [counted]);
  return (
    <ListPage
      isPart
      title={words.batches.rows}
      empty={words.batches.noRows}
      filters={filters}
      columns={columnsOf(words, merchantId)}
      keyOf={({ row }) => String(row)}
      pages={pages}
      side={
        counts.faulty > 0 ? (
          <Button
            component="a"
            variant="default"
            size="xs"
            download
            href={fileAddress('batches.export', { merchantId, batchId }, { state: 'faulty' })}
          >
            {words.batches.faultyFile}
          </Button>
        ) : null
      }
    />
  );
}
