/** What the pages of a payout and of a deposit share: why it waits, its history, its callbacks. */
import { Alert, Stack, Table, Text } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { Explanation, HistoryEntry } from '../../../../gateway/contract/answer-parts.ts';
import type { Callback } from '../../../../gateway/contract/callbacks.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../details.tsx';
import { Moment } from '../moment.tsx';
import { PageLink } from '../page-link.tsx';
import { callbackPath } from '../paths.ts';
import { StateBadge } from '../state-badge.tsx';
import type { Happening } from './timeline.tsx';

export function Waiting({ pending }: { pending: Explanation | null }) {
  const words = useWords();
  if (!pending) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconHourglass size={18} />}
      title={`${words.payment.why}: ${pending.waitsFor}`}
    >
      <Stack gap={4}>
        <Text size="sm">
          {words.payment.since} <Moment at={pending.since} />
        </Text>
        <Text size="sm">
          {words.payment.next}: {pending.next}
          {pending.nextAt === null ? null : (
            <>
              {' '}
              (<Moment at={pending.nextAt} />)
            </>
          )}
        </Text>
        <Text size="sm">
          {words.payment.canDo}: {pending.merchantCan}
        </Text>
        {pending.note === '' ? null : (
          <Text size="sm" className="muted">
            {pending.note}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

export function happeningsOf(history: readonly HistoryEntry[], pending: Explanation | null): Happening[] {
  const past = history.map(({ at, event, from, to, actor, detail }, index) => ({
    key: `${index}`,
    at,
    title: from === null || from === to ? spoken(event) : `${spoken(event)}: ${spoken(from)} → ${spoken(to)}`,
    detail: [actor, detail].filter((part) => part !== '').join(' · '),
  }));
  if (!pending) return past;
  return [
    ...past,
    { key: 'next', at: pending.nextAt, title: spoken(pending.next), detail: pending.waitsFor, isExpected: true },
  ];
}

/** awaiting_approval → Awaiting approval */
function spoken(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function CallbackPanel({ callbacks }: { callbacks: readonly Callback[] }) {
  const words = useWords();
  return (
    <Panel title={words.payment.callbacks}>
      {callbacks.length === 0 ? (
        <Text size="sm" className="muted">
          {words.payment.noCallbacks}
        </Text>
      ) : (
        <Table withRowBorders={false} layout="fixed">
          <Table.Tbody>
            {callbacks.map(({ merchantId, callbackId, state, attempts, createdAt }) => (
              <Table.Tr key={callbackId}>
                <Table.Td>
                  <PageLink to={callbackPath(merchantId, callbackId)}>
                    <Moment at={createdAt} />
                  </PageLink>
                </Table.Td>
                <Table.Td>
                  <StateBadge state={state} /> × {attempts}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}
