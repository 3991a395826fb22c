/** The list of callbacks, with the pace by hour and a resend of all that match the filter. */
import { Stack } from '@mantine/core';
import type { Callback } from '../../../../gateway/contract/endpoints/callbacks.ts';
import { CALLBACK_STATES } from '../../../../gateway/contract/texts/states.ts';
import { call } from '../../api/client.ts';
import { usePages, useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { merchantColumn } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { callbackPath } from '../../parts/links/paths.ts';
import { BulkAct } from '../../parts/lists/bulk-act.tsx';
import { between, type Filter, ListPage, useFilters } from '../../parts/lists/list-page.tsx';
import { Waiting } from '../../parts/payment/waiting.tsx';
import { DueMoment, Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { CallbackPace } from './callback-pace.tsx';

function filtersOf({ callbacks, payouts, period }: Words, isOperator: boolean): readonly Filter[] {
  return [
    { name: 'state', label: payouts.state, options: CALLBACK_STATES },
    { name: 'subject', label: callbacks.about, options: ['payout', 'deposit', 'event'] },
    { name: 'subjectId', label: payouts.id },
    ...between(callbacks.created, period),
    ...(isOperator ? [{ name: 'merchantId', label: payouts.merchant }] : []),
  ];
}

function columnsOf({ callbacks, payouts, subjects }: Words, isOperator: boolean): readonly Column<Callback>[] {
  return [
    {
      label: callbacks.about,
      cell: ({ merchantId, callbackId, subject, subjectId }) => (
        <PageLink to={callbackPath(merchantId, callbackId)}>
          {subjects[subject] ?? subject} {subjectId}
        </PageLink>
      ),
    },
    ...(isOperator ? [merchantColumn(payouts.merchant)] : []),
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    { label: callbacks.attempts, cell: ({ attempts }) => attempts, isEnd: true },
    { label: callbacks.due, cell: ({ dueAt }) => dueAt && <DueMoment at={dueAt} /> },
    { label: callbacks.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export default function CallbackList() {
  const words = useWords();
  const may = useMay();
  const own = useSession().merchantId;
  const isOperator = own === null;
  const filters = filtersOf(words, isOperator);
  const query = useFilters(filters);
  const merchantId = own ?? query['merchantId'];
  return (
    <Stack>
      {merchantId === undefined ? null : <LaneState merchantId={merchantId} />}
      <ListPage
        title={words.callbacks.title}
        empty={words.callbacks.empty}
        filters={filters}
        columns={columnsOf(words, isOperator)}
        keyOf={({ merchantId, callbackId }) => `${merchantId}/${callbackId}`}
        pathOf={({ merchantId, callbackId }) => callbackPath(merchantId, callbackId)}
        pages={usePages('callbacks.list', query)}
        exported="callbacks"
        side={
          may('callbacks:write') ? (
            <BulkAct
              label={words.bulk.resend}
              text={words.bulk.resendText}
              read={(after) =>
                call('callbacks.list', {
                  query: { ...query, state: 'undelivered', limit: 100, ...(after ? { after } : {}) } as never,
                })
              }
              perform={({ merchantId: its, callbackId }, idempotencyKey) =>
                call('callbacks.resend', { params: { merchantId: its, callbackId }, idempotencyKey })
              }
              columns={columnsOf(words, isOperator).slice(0, isOperator ? 2 : 1)}
              keyOf={({ merchantId: its, callbackId }) => `${its}/${callbackId}`}
            />
          ) : null
        }
      />
      {merchantId === undefined ? null : <CallbackPace merchantId={merchantId} />}
    </Stack>
  );
}

/** Shows why callbacks are paused. The next attempt is for the callback that is due first. */
function LaneState({ merchantId }: { merchantId: string }) {
  const due = usePages('callbacks.list', { merchantId, state: 'due' });
  const items = due.data?.pages.flatMap((page) => page.items) ?? [];
  const [next] = items.toSorted((one, other) => Date.parse(one.dueAt ?? '') - Date.parse(other.dueAt ?? ''));
  const callbackId = next?.callbackId ?? '';
  const waiting = useReading('callbacks.show', { params: { merchantId, callbackId } }, callbackId !== '');
  const pending = waiting.data?.pending ?? null;
  return pending?.reason === 'server_failing' ? <Waiting pending={pending} /> : null;
}
