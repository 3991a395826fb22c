/** Every setting of the merchant as a table, with a filter and buttons to change them. */
import { Badge, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import type { ActField } from '../../parts/acts/act-props.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Empty } from '../../parts/loading/shown.tsx';
import { useMerchantId } from '../../parts/page/merchant-head.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { shortened } from './setting-edits.ts';

type Setting = Answer<'merchants.settings'>['items'][number];
type Repeated = Answer<'merchants.settings'>['repeated'][number];

export interface SettingsPanelProps {
  readonly version: string;
  readonly items: readonly Setting[];
  readonly repeated: readonly Repeated[];
}

export function SettingsPanel({ version, items, repeated }: SettingsPanelProps) {
  const words = useWords();
  const { settings } = words;
  const mayEdit = useMay()('merchants:write');
  const [text, setText] = useState('');
  const sought = text.trim().toLowerCase();
  const translated = items.map((item) => ({ ...item, meaning: meaningOf(settings, item) }));
  const shown = translated.filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(sought));
  return (
    <Panel title={settings.settings} side={mayEdit ? <RepeatedButtons version={version} repeated={repeated} /> : null}>
      <TextInput
        size="xs"
        mb="sm"
        label={settings.filter}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Table
        empty={<Empty>{settings.nothing}</Empty>}
        label={settings.settings}
        columns={settingColumns(words, mayEdit ? version : null)}
        items={shown}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

/** `approval_above.EUR` has the meaning of `approval_above`. */
function meaningOf({ settingMeanings }: Words['settings'], { name, meaning }: Setting): string {
  return settingMeanings[name.split('.')[0] ?? ''] ?? meaning;
}

/** If `version` is null, the user may not edit. */
function settingColumns({ settings: words }: Words, version: string | null): readonly Column<Setting>[] {
  const shown: Column<Setting>[] = [
    {
      label: words.setting,
      cell: ({ name, meaning }) => (
        <>
          <span className="code">{name}</span>
          <br />
          <span className="muted">{meaning}</span>
        </>
      ),
    },
    { label: words.value, cell: (setting) => <SettingValue {...setting} /> },
  ];
  if (version === null) return shown;
  return [
    ...shown,
    { label: words.change, isEnd: true, cell: (each) => <EditSetting version={version} setting={each} /> },
  ];
}

function SettingValue({ value, default: fallback }: Setting) {
  const { settings: words } = useWords();
  if (value !== null)
    return (
      <>
        <strong className="code">{value === '' ? words.empty : shortened(value)}</strong>{' '}
        <Badge size="xs" variant="light">
          {words.isSet}
        </Badge>
      </>
    );
  if (fallback === null || fallback === '')
    return <span className="muted">{fallback === null ? words.unset : words.empty}</span>;
  return <span className="code muted">{fallback}</span>;
}

function EditSetting({ setting, version }: { setting: Setting; version: string }) {
  const { settings: words } = useWords();
  const merchantId = useMerchantId();
  const mayChange = useMayChange();
  const { name, meaning, accepts, choices, value, default: fallback } = setting;
  if (!mayChange(setting)) return null;
  const act = {
    act: 'merchants.edit',
    params: { merchantId },
    ifMatch: version,
    button: { size: 'compact-xs' },
  } as const;
  const initial = value ?? fallback ?? '';
  return (
    <Group gap={4} justify="flex-end">
      <ActButton
        {...act}
        label={words.change}
        name={`${words.change}: ${name}`}
        text={`${name}: ${meaning}`}
        fields={[
          choices === null ? textField(words.value, accepts, initial) : choiceField(words.value, choices, initial),
        ]}
        bodyOf={({ value: given = '' }) => ({ settings: { [name]: given } })}
      />
      {value === null ? null : (
        <ActButton
          {...act}
          label={words.restore}
          name={`${words.restore}: ${name}`}
          text={`${name}: ${words.restoreText}`}
          bodyOf={() => ({ settings: { [name]: null } })}
        />
      )}
    </Group>
  );
}

/** Only the operator may change the operator’s terms. */
function useMayChange(): (setting: Pick<Setting, 'isMerchants'>) => boolean {
  const { merchantId } = useSession();
  return ({ isMerchants }) => isMerchants || merchantId === null;
}

const textField = (label: string, accepts: string, initial: string): ActField => ({
  name: 'value',
  label,
  hint: accepts,
  initial,
});

function choiceField(label: string, choices: readonly string[], initial: string): ActField {
  return { name: 'value', label, initial, options: choices.map((choice) => ({ value: choice, label: choice })) };
}

/** One button per setting that a merchant may have for each method or currency. */
function RepeatedButtons({ version, repeated }: { version: string; repeated: readonly Repeated[] }) {
  const { settings: words, payouts, balances } = useWords();
  const merchantId = useMerchantId();
  const method = { name: 'method', label: payouts.method, isRequired: true, hint: words.methodHint };
  return (
    <Group gap={4}>
      {repeated.filter(useMayChange()).map(({ name, scope, accepts, meaning }) => (
        <ActButton
          key={name}
          act="merchants.edit"
          params={{ merchantId }}
          ifMatch={version}
          label={`+ ${name}`}
          text={`${name}: ${meaning}`}
          fields={[
            ...(scope === 'method' ? [method] : []),
            { name: 'currency', label: balances.currency, isRequired: true, placeholder: 'EUR' },
            { name: 'value', label: words.value, hint: accepts, isRequired: true },
          ]}
          bodyOf={({ method: given = '', currency = '', value = '' }) => ({
            settings: { [[name, given, currency.toUpperCase()].filter(Boolean).join('.')]: value },
          })}
          button={{ size: 'compact-xs' }}
        />
      ))}
    </Group>
  );
}
