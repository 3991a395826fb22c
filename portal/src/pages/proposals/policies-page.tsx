/** The policies of the user’s own team: the actions that need a second person. Each change replaces the entire list. */
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Policy } from '../../../../gateway/contract/endpoints/policies.ts';
import type { ApiError } from '../../api/api-error.ts';
import { boundActs, callTagged } from '../../api/client.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import type { ActField } from '../../parts/acts/act-props.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { ActName } from '../../parts/names/act-name.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useWords } from '../../words/words.ts';

interface Rules {
  readonly items: readonly Policy[];
  /** The version that the user has read. */
  readonly version: string;
}

export default function PoliciesPage() {
  const { policies: words, thresholds } = useWords();
  const isOperator = useSession().merchantId === null;
  const mayWrite = useMay()('policies:write');
  const rules = useQuery<Rules, ApiError>({
    queryKey: ['policies.list'],
    queryFn: async ({ signal }) => {
      const { answer, version } = await callTagged('policies.list', { signal });
      return { items: answer.items, version };
    },
  });
  return (
    <Stack>
      <PageTitle>{words.title}</PageTitle>
      <Text size="sm" className="muted" maw={640}>
        {words.meaning} {isOperator ? thresholds : null}
      </Text>
      <Shown of={rules}>
        {(read) => (
          <Panel title={words.rules} side={mayWrite ? <Add rules={read} /> : null}>
            {read.items.length === 0 ? <Empty>{words.empty}</Empty> : <RuleTable rules={read} mayWrite={mayWrite} />}
          </Panel>
        )}
      </Shown>
    </Stack>
  );
}

function RuleTable({ rules, mayWrite }: { rules: Rules; mayWrite: boolean }) {
  const { policies: words } = useWords();
  const isOperator = useSession().merchantId === null;
  const columns: readonly Column<Policy>[] = [
    {
      label: words.act,
      cell: ({ act }) => <ActName act={act} />,
    },
    { label: words.from, cell: (rule) => <Bound rule={rule} /> },
    ...(isOperator
      ? [{ label: words.merchant, cell: ({ merchantId }: Policy) => merchantId ?? words.anyMerchant }]
      : []),
    ...(mayWrite
      ? [{ label: words.change, cell: (rule: Policy) => <Remove rules={rules} rule={rule} />, isEnd: true }]
      : []),
  ];
  return (
    <Table
      label={words.rules}
      columns={columns}
      items={rules.items}
      keyOf={(rule) => `${rules.items.indexOf(rule)} ${JSON.stringify(rule)}`}
    />
  );
}

function Bound({ rule: { currency, above } }: { rule: Policy }) {
  const { policies: words } = useWords();
  if (currency === null) return words.always;
  if (above === null) return words.anyAmount(currency);
  return (
    <>
      {words.above} <Money amount={above} currency={currency} />
    </>
  );
}

function useReasonField(): ActField {
  const words = useWords();
  return { name: 'reason', label: words.reason, isRequired: true, isLong: true, placeholder: words.reasonHint };
}

function Add({ rules: { items, version } }: { rules: Rules }) {
  const { policies: words, acts } = useWords();
  const isOperator = useSession().merchantId === null;
  const options = boundActs(isOperator).map((act) => ({
    value: act,
    label: [act, acts[act]].filter(Boolean).join(' · '),
  }));
  const merchant = { name: 'merchantId', label: words.merchant, hint: words.merchantHint };
  return (
    <ActButton
      act="policies.set"
      query={{}}
      ifMatch={version}
      label={words.add}
      text={words.addText}
      fields={[
        { name: 'act', label: words.act, options, isRequired: true },
        { name: 'currency', label: words.currency, hint: words.currencyHint },
        { name: 'above', label: words.above, hint: words.aboveHint },
        ...(isOperator ? [merchant] : []),
        useReasonField(),
      ]}
      bodyOf={({ act = '', currency, above, merchantId, reason = '' }) => ({
        items: [...items, { act, currency: currency || null, above: above || null, merchantId: merchantId || null }],
        reason,
      })}
      button={{ look: 'filled', size: 'xs' }}
    />
  );
}

function Remove({ rules: { items, version }, rule }: { rules: Rules; rule: Policy }) {
  const { policies: words } = useWords();
  return (
    <Group justify="flex-end">
      <ActButton
        act="policies.set"
        query={{}}
        ifMatch={version}
        label={words.remove}
        name={`${words.remove}: ${rule.act}`}
        text={words.removeText(rule.act)}
        fields={[useReasonField()]}
        bodyOf={({ reason = '' }) => ({ items: items.filter((each) => each !== rule), reason })}
        button={{ size: 'compact-xs' }}
      />
    </Group>
  );
}
