/** What happened, oldest first, and what is expected to happen. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';
import { Panel } from '../details.tsx';
import { Moment } from '../moment.tsx';

export interface Happening {
  readonly key: string;
  readonly at: string | null;
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly isExpected?: boolean;
}

export function Timeline({ happenings }: { happenings: readonly Happening[] }) {
  const words = useWords();
  return (
    <Panel title={words.payment.timeline}>
      <ol className="timeline">
        {happenings.map(({ key, at, title, detail, isExpected = false }) => (
          <li key={key} {...(isExpected ? { 'data-expected': true } : {})}>
            <Text fw={isExpected ? 400 : 600} {...(isExpected ? { className: 'muted' } : {})}>
              {title}
            </Text>
            <Text size="sm" className="muted">
              {at === null ? null : <Moment at={at} />}
              {at !== null && detail ? ' · ' : null}
              {detail}
            </Text>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
