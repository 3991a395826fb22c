/** Names and values, with a button that copies a value. */
import { ActionIcon, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';
import { Hint } from '../elements/hint.tsx';
import { Panel } from '../elements/panel.tsx';

export interface Detail {
  readonly name: string;
  readonly value: ReactNode;
  /** The text to copy. If undefined, there is no button. */
  readonly copy?: string;
}

/** `isCode` is true if the names and values come from a protocol. */
export function Details({ title, rows, isCode }: { title: string; rows: readonly Detail[]; isCode?: boolean }) {
  return (
    <Panel title={title}>
      <dl className={isCode ? 'details code' : 'details'}>
        {rows.map(({ name, value, copy }) => (
          <DetailRow key={name} name={name} value={value} {...(copy === undefined ? {} : { copy })} />
        ))}
      </dl>
    </Panel>
  );
}

function DetailRow({ name, value, copy }: Detail) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Group justify="space-between" wrap="nowrap" gap={4} align="flex-start">
          <span>{value}</span>
          {copy ? <Copy text={copy} name={name} /> : null}
        </Group>
      </dd>
    </>
  );
}

function Copy({ text, name }: { text: string; name: string }) {
  const words = useWords();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Hint text={copied ? words.copied : words.copy}>
          <ActionIcon variant="subtle" size="sm" onClick={copy} aria-label={`${words.copy}: ${name}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Hint>
      )}
    </CopyButton>
  );
}
