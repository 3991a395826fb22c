/** A merchant's page for developers: keys with their last use, the callback tester, and conformance runs. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { ShownOnce } from '../../parts/acts/shown-once.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { MerchantHead, useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { CallbackTester } from './callback-tester.tsx';
import { isStillUsed } from './old-keys.ts';

type Key = Answer<'merchants.show'>['keys'][number];
type Run = NonNullable<Answer<'merchants.show'>['conformance']>;
type NewKey = Answer<'keys.rotate'>;

const PURPOSES = ['api', 'form'] as const;
const CONFORM = 'npx gateway conform URL --key-file api.key --book BOOK --merchant';

/** Keeps options in one piece: broken after its hyphens, an option would look like two. */
const inWords = (command: string) => command.split(' ').flatMap((word) => [<span key={word}>{word}</span>, ' ']);

export default function DevelopersPage() {
  const words = useWords();
  const merchantId = useMerchantId();
  const [created, setCreated] = useState<NewKey | null>(null);
  return (
    <Stack>
      <MerchantHead
        title={words.developers.title}
        side={
          <Anchor size="sm" href="/docs">
            {words.developers.reference}
          </Anchor>
        }
      />
      {created === null ? null : <NewKeyShown created={created} />}
      <CallbackTester merchantId={merchantId} />
      <ConformancePanel />
      <Panel title={words.developers.keys} side={<RotateButtons onDone={setCreated} />}>
        <Shown of={useReading('merchants.show', { params: { merchantId } })}>
          {({ keys }) => (
            <Table
              label={words.developers.keys}
              columns={keyColumns(words, keys)}
              items={[...keys].sort((left, right) => (left.createdAt < right.createdAt ? 1 : -1))}
              keyOf={({ keyId }) => keyId}
            />
          )}
        </Shown>
      </Panel>
    </Stack>
  );
}

/** The latest recorded run of `gateway conform`, and how to record one. */
function ConformancePanel() {
  const { conformance: words } = useWords().developers;
  const merchantId = useMerchantId();
  return (
    <Panel title={words.title}>
      <Shown of={useReading('merchants.show', { params: { merchantId } })}>
        {({ conformance: run, settings }) => (
          <Stack gap="xs">
            {run === null ? (
              <Text>{words.none}</Text>
            ) : (
              <>
                <Group gap="xs">
                  <StateBadge
                    state={run.isPassed ? 'done' : 'failed'}
                    text={run.isPassed ? words.passed : words.failed}
                  />
                  <Text>{words.score(run.passed, run.examined)}</Text>
                  <Moment at={run.recordedAt} />
                  <span className="code">{run.address}</span>
                </Group>
                <Findings findings={run.findings} />
              </>
            )}
            {settings['conformance_days'] ? <Text>{words.required(settings['conformance_days'])}</Text> : null}
            <Text size="sm">
              {words.how} <span className="code">{inWords(`${CONFORM} ${merchantId} --record`)}</span>
            </Text>
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

function Findings({ findings }: { findings: Run['findings'] }) {
  const { conformance: words } = useWords().developers;
  if (findings.length === 0) return null;
  return (
    <Table
      label={words.title}
      columns={[
        { label: words.check, cell: ({ name }) => <span className="code">{name}</span> },
        { label: words.result, cell: ({ state }) => words.states[state] },
        { label: words.found, cell: ({ found }) => found },
      ]}
      items={findings}
      keyOf={({ name }) => name}
    />
  );
}

function keyColumns({ developers: words }: Words, keys: readonly Key[]): readonly Column<Key>[] {
  return [
    {
      label: words.purpose,
      cell: ({ purpose, keyId }) => (
        <>
          {words.purposes[purpose]}
          <div className="code whole muted">{keyId}</div>
        </>
      ),
    },
    { label: words.created, cell: ({ createdAt }) => <Moment at={createdAt} isShort /> },
    { label: words.firstUsed, cell: ({ firstUsedAt }) => <Used at={firstUsedAt} /> },
    { label: words.lastUsed, cell: ({ lastUsedAt }) => <Used at={lastUsedAt} /> },
    { label: words.validUntil, cell: (key) => <Validity until={key.validUntil} isUsed={isStillUsed(key, keys)} /> },
  ];
}

function Used({ at }: { at: string | null }) {
  const { developers } = useWords();
  return at === null ? <span className="muted">{developers.neverUsed}</span> : <Moment at={at} isShort />;
}

/** An old key may be removed once no server uses it. */
function Validity({ until, isUsed }: { until: string | null; isUsed: boolean | null }) {
  const { developers } = useWords();
  if (until === null) return developers.current;
  const text = isUsed ? developers.stillUsed : developers.notUsed;
  return [
    <Moment key="end" at={until} isShort />,
    ' ',
    <StateBadge key="use" state={isUsed ? 'due' : 'done'} text={text} />,
  ];
}

function RotateButtons({ onDone }: { onDone: (created: NewKey) => void }) {
  const { developers: words } = useWords();
  const merchantId = useMerchantId();
  if (!useMay()('keys:write')) return null;
  const named = { name: 'overlapHours', label: words.overlap, hint: words.overlapHint };
  return (
    <Group gap={4}>
      {PURPOSES.map((purpose) => (
        <ActButton
          key={purpose}
          act="keys.rotate"
          params={{ merchantId }}
          label={words.rotate[purpose]}
          text={words.rotateText}
          fields={[{ ...named, initial: '24', isRequired: true }]}
          bodyOf={({ overlapHours = '' }) => ({ purpose, overlapHours: Number(overlapHours) })}
          onDone={onDone}
          button={{ size: 'compact-sm' }}
        />
      ))}
    </Group>
  );
}

function NewKeyShown({ created: { key, oldKeyValidUntil } }: { created: NewKey }) {
  const { developers: words } = useWords();
  return (
    <ShownOnce title={words.shownOnce} secret={key}>
      <Text size="sm">
        {words.oldKey} {oldKeyValidUntil === null ? words.revoked : <Moment at={oldKeyValidUntil} />}
      </Text>
    </ShownOnce>
  );
}
