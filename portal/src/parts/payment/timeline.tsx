/** The past events of a payment, oldest first, and the expected ones. */
import './timeline.css';
import { Text } from '@mantine/core';
import {
  IconBell,
  IconBuildingBank,
  IconCheck,
  IconClock,
  IconHelp,
  IconLock,
  IconPencil,
  IconPlus,
  IconSend,
  IconUser,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';
import { Panel } from '../elements/panel.tsx';
import { Moment } from '../time/moment.tsx';

const ICONS = {
  begin: IconPlus,
  send: IconSend,
  bank: IconBuildingBank,
  good: IconCheck,
  bad: IconX,
  person: IconUser,
  change: IconPencil,
  callback: IconBell,
  wait: IconClock,
  ask: IconHelp,
  held: IconLock,
} as const;

export interface Happening {
  readonly key: string;
  readonly at: string | null;
  readonly icon: keyof typeof ICONS;
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly isExpected?: boolean;
}

export function Timeline({ happenings }: { happenings: readonly Happening[] }) {
  const words = useWords();
  return (
    <Panel title={words.payment.timeline}>
      <ol className="timeline">
        {happenings.map((happening) => (
          <HappeningShown key={happening.key} happening={happening} />
        ))}
      </ol>
    </Panel>
  );
}

function HappeningShown({ happening: { at, icon, title, detail, isExpected = false } }: { happening: Happening }) {
  const Icon = ICONS[icon];
  return (
    <li {...(isExpected ? { 'data-expected': true } : {})} data-icon={icon}>
      <span className="mark">
        <Icon size={14} stroke={1.8} aria-hidden />
      </span>
      <Text fw={isExpected ? 400 : 600} {...(isExpected ? { className: 'muted' } : {})}>
        {title}
      </Text>
      <Text size="sm" className="muted" component="div">
        {at === null ? null : <Moment at={at} isShort />}
        {at !== null && detail ? ' · ' : null}
        {detail}
      </Text>
    </li>
  );
}
