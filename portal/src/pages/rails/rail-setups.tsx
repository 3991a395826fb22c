/** The connection of each rail to its provider: the missing variables, and a live test. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RailFinding, RailSetup } from '../../../../gateway/contract/endpoints/rails.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { LazySection } from '../../parts/loading/lazy-section.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';

const words = operatorPages.railSetups;

export function RailSetups() {
  return (
    <Panel title={words.title}>
      <Shown of={useReading('rails.setups')}>
        {({ items }) => (
          <Stack gap="sm">
            <p className="small muted">{words.text}</p>
            {items.map((setup) => (
              <Setup key={setup.name} setup={setup} />
            ))}
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

const COLUMNS: readonly Column<RailSetup['variables'][number]>[] = [
  { label: words.variable, cell: ({ name }) => <span className="code">{name}</span> },
  { label: words.state, cell: ({ state }) => words.states[state] },
  { label: words.meaning, cell: ({ meaning }) => meaning },
  { label: words.accepts, cell: ({ accepts }) => <span className="muted">{accepts}</span> },
];

function Setup({ setup: { name, isConnected, variables } }: { setup: RailSetup }) {
  const missing = variables.filter(({ state }) => state === 'missing').map((variable) => variable.name);
  return (
    <div className="rail-setup">
      <Group gap="sm">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {isConnected ? <StateBadge state="active" /> : null}
        <Text size="sm" className="code">
          {isConnected || missing.length === 0 ? null : `${words.needs} ${missing.join(' ')}`}
        </Text>
      </Group>
      {isConnected ? <RailTest rail={name} /> : null}
      <LazySection summary={words.all(name)}>
        <Table label={words.all(name)} columns={COLUMNS} items={variables} keyOf={(variable) => variable.name} />
      </LazySection>
    </div>
  );
}

/** Renders nothing for users who may not change rails. */
export function RailTest({ rail }: { rail: string }) {
  const may = useMay();
  const [findings, setFindings] = useState<readonly RailFinding[]>([]);
  if (!may('rails:write')) return null;
  return (
    <div role="status">
      <ActButton
        {...{ act: 'rails.test', params: { rail }, label: words.test, name: `${words.test}: ${rail}` }}
        text={words.testText}
        onDone={({ items }) => setFindings(items)}
        button={{ size: 'compact-sm' }}
      />
      {findings.map(({ about, result, found, remedy }) => (
        <Text key={about} size="sm" component="div">
          <StateBadge state={result} /> {words.about[about]}: {[found, remedy].filter(Boolean).join('. ')}
        </Text>
      ))}
    </div>
  );
}
