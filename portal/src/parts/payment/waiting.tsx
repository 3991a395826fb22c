/** Why a payment waits, since when, the next step, and the usual duration on its rail. */
import { Alert, Progress, Stack, Text } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Explanation, Pace } from '../../../../gateway/contract/parts/answer-parts.ts';
import { useSession } from '../../api/session.ts';
import { now } from '../../browser.ts';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { PageLink } from '../links/page-link.tsx';
import { formatDuration } from '../time/duration.ts';
import { DueMoment, Moment } from '../time/moment.tsx';
import { Since } from '../time/since.tsx';
import { futureOf, progressOf } from './future.ts';

interface WaitingProps {
  readonly pending: Explanation | null;
  readonly pace?: Pace | null;
  readonly rail?: string;
  /** When the payment was accepted. */
  readonly since?: string;
  /** The actions that this user can take here. */
  readonly children?: ReactNode;
}

export function Waiting({ pending, pace = null, rail = '', since = '', children }: WaitingProps) {
  const { payment, charts, waits } = useWords();
  const isOperator = useSession().merchantId === null;
  const within = (ms: number | null) => (ms === null ? payment.overADay : briefly(ms, charts.units));
  if (!pending) return null;
  const translated = payment.reasons[pending.reason];
  const waiting = { pending, pace, since };
  const progress = progressOf(waiting, now());
  const first = futureOf(waiting, now())[0];
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconHourglass size={18} />}
      title={`${payment.why}: ${translated ?? pending.waitsFor}`}
    >
      <Stack gap={4}>
        <Text size="sm">
          {payment.since} <Moment at={pending.since} isShort /> (<Since at={pending.since} />
          ). {payment.next}: {translated && first ? payment.steps[first.kind] : pending.next}
          {pending.nextAt === null ? null : (
            <>
              {' '}
              (<DueMoment at={pending.nextAt} isShort />)
            </>
          )}
        </Text>
        {pace === null || rail === '' || ON_A_PERSON.test(pending.reason) ? null : (
          <Text size="sm">
            {payment.pace(rail, within(pace.halfMs), within(pace.mostMs))} {progress === 100 ? payment.late : null}
          </Text>
        )}
        {translated ? null : (
          <p className="small">
            {isOperator ? waits.merchantCan : payment.canDo}: {pending.merchantCan}
          </p>
        )}
        {isOperator && pending.reason === 'paused' ? <PageLink to="/?kind=pause">{waits.pauses}</PageLink> : null}
        {pending.note === '' || pending.reason === 'paused' ? null : <p className="small muted">{pending.note}</p>}
        {progress === null ? null : <Progress value={progress} size="sm" color="orange" aria-hidden mt={4} />}
        {children}
      </Stack>
    </Alert>
  );
}

/** The usual time of the rail does not apply while a user has to decide. */
const ON_A_PERSON = /^(?:awaiting_approval|operator|overdue|paused|rail_missing|seal_broken)$/;

/** Rounds to a second, a minute or more. */
function briefly(ms: number, units: Words['charts']['units']): string {
  return ms < 60_000 ? `${ms / 1_000} ${units.s}` : formatDuration(ms, units);
}
