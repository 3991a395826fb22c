/** The API tokens of a team. */
import { Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Token } from '../../../../gateway/contract/endpoints/tokens.ts';
import { SCOPE_NAMES } from '../../../../gateway/contract/permissions.ts';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { now } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { ShownOnce } from '../../parts/acts/shown-once.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';

export default function TokenList() {
  const { tokens: words } = useWords();
  const may = useMay();
  const isOperator = useSession().merchantId === null;
  const [created, setCreated] = useState<Answer<'tokens.create'> | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{words.title}</PageTitle>
        {may('tokens:write') ? <IssueButton onDone={setCreated} /> : null}
      </Group>
      {created === null ? null : (
        <ShownOnce title={words.shownOnce(created.token.name)} secret={created.secret}>
          <Text size="sm">
            {words.validUntil} <Moment at={created.token.expiresAt} />
          </Text>
        </ShownOnce>
      )}
      <Paper withBorder>
        <Shown of={useReading('tokens.list')}>
          {({ items }) => (
            <Table
              empty={<Empty>{words.empty}</Empty>}
              label={words.title}
              columns={columnsOf(words, isOperator)}
              items={items}
              keyOf={({ tokenId }) => tokenId}
            />
          )}
        </Shown>
      </Paper>
    </Stack>
  );
}

function IssueButton({ onDone }: { onDone: (created: Answer<'tokens.create'>) => void }) {
  const { tokens: words } = useWords();
  const isOperator = useSession().merchantId === null;
  return (
    <ActButton
      act="tokens.create"
      params={{}}
      label={words.issue}
      text={words.issueText}
      fields={[
        { name: 'name', label: words.name, isRequired: true },
        ...(isOperator ? [{ name: 'merchantId', label: words.merchant, hint: words.merchantHint }] : []),
        { name: 'days', label: words.days, initial: '90', isRequired: true },
      ]}
      extra={<Scopes />}
      queryOf={({ merchantId = '' }) => (merchantId === '' ? {} : { merchantId })}
      bodyOf={({ name = '', days = '' }, data) => ({
        name,
        days: Number(days),
        scopes: data.getAll('scopes') as Token['scopes'],
      })}
      onDone={onDone}
      button={{ look: 'filled' }}
    />
  );
}

/** A user cannot grant a scope that they lack. */
function Scopes() {
  const { tokens: words } = useWords();
  const may = useMay();
  return (
    <Checkbox.Group label={words.scopes}>
      <Group gap="xs" mt={4}>
        {SCOPE_NAMES.filter(may).map((scope) => (
          <Checkbox key={scope} name="scopes" value={scope} label={scope} size="xs" w={170} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

const stateOf = ({ revokedAt, expiresAt }: Token) =>
  revokedAt !== null ? 'revoked' : Date.parse(expiresAt) <= now().getTime() ? 'expired' : 'active';

const columnsOf = (words: Words['tokens'], isOperator: boolean): readonly Column<Token>[] => [
  {
    label: words.name,
    cell: ({ name, tokenId }) => (
      <>
        {name}
        <br />
        <span className="muted code">{tokenId}</span>
      </>
    ),
  },
  ...(isOperator ? [{ label: words.merchant, cell: ({ merchantId }: Token) => merchantId ?? words.operator }] : []),
  { label: words.state, cell: (token) => <StateBadge state={stateOf(token)} /> },
  { label: words.scopes, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
  { label: words.lastUsed, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
  { label: words.validUntil, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { label: words.acts, cell: (token) => <Revoke token={token} />, isEnd: true },
];

const FEW = 4;

function ScopeList({ scopes }: { scopes: Token['scopes'] }) {
  const { tokens: words } = useWords();
  if (scopes.length <= FEW) return scopes.join(', ');
  return (
    <details>
      <summary>{words.scopeCount(scopes.length)}</summary>
      {scopes.join(', ')}
    </details>
  );
}

function Revoke({ token }: { token: Token }) {
  const { tokens: words } = useWords();
  const may = useMay();
  if (!may('tokens:write') || stateOf(token) !== 'active') return null;
  return (
    <ActButton
      act="tokens.revoke"
      params={{ tokenId: token.tokenId }}
      label={words.revoke}
      name={`${words.revoke}: ${token.name}`}
      text={words.revokeText(token.name)}
      button={{ size: 'compact-xs' }}
    />
  );
}
