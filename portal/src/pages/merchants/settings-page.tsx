import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../../../../gateway/contract/endpoints/audit.ts';
import type { Answer } from '../../api/client.ts';
import { usePages, useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/act-button.tsx';
import type { ActField } from '../../parts/acts/act-props.ts';
import { Panel } from '../../parts/details.tsx';
import { MerchantHead, useMerchantId } from '../../parts/merchant-head.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Words } from '../../words/en/en.ts';
import { actorName, useWords } from '../../words/words.ts';
import { BrandPanel } from './brand-panel.tsx';
import { type Edit, editsOf } from './setting-edits.ts';

type Setting = Answer<'merchants.settings'>['items'][number];
type Repeated = Answer<'merchants.settings'>['repeated'][number];

const PROFILE_FIELDS = [
  'name',
  'siteUrl',
  'processUrl',
  'successUrl',
  'failUrl',
  'payoutCallbackUrl',
  'eventUrl',
] as const;

export default function SettingsPage() {
  const { settings: words } = useWords();
  const merchantId = useMerchantId();
  const settings = useReading('merchants.settings', { params: { merchantId } });
  return (
    <Stack>
      <MerchantHead title={words.title} />
      <Shown of={settings}>
        {({ version, items, repeated }) => (
          <>
            <Profile version={version} />
            <Brand version={version} items={items} />
            <SettingTable version={version} items={items} repeated={repeated} />
          </>
        )}
      </Shown>
      <History version={settings.data?.version ?? ''} />
    </Stack>
  );
}

/** Resets its fields with each saved version. */
function Brand({ version, items }: Pick<SettingTableProps, 'version' | 'items'>) {
  const merchantId = useMerchantId();
  const merchant = useReading('merchants.show', { params: { merchantId } });
  if (!merchant.data) return null;
  return <BrandPanel key={version} version={version} items={items} name={merchant.data.name} />;
}

function Profile({ version }: { version: string }) {
  const { settings: words, ...all } = useWords();
  const merchantId = useMerchantId();
  const mayEdit = useMay()('merchants:write');
  const isOperator = useSession().merchantId === null;
  const merchant = useReading('merchants.show', { params: { merchantId } });
  return (
    <Panel title={words.profile}>
      <Shown of={merchant}>
        {(record) => (
          <dl className="details">
            {PROFILE_FIELDS.map((field) => (
              <ProfileRow
                key={field}
                name={words.fields[field]}
                value={record[field] ?? (field === 'payoutCallbackUrl' ? record.processUrl : null)}
              >
                {mayEdit ? (
                  <ActButton
                    act="merchants.edit"
                    params={{ merchantId }}
                    ifMatch={version}
                    label={words.change}
                    name={`${words.change}: ${words.fields[field]}`}
                    text={`${words.fields[field]}. ${words.meanings[field]}`}
                    fields={[
                      { name: 'value', label: words.value, initial: record[field] ?? '', isRequired: field === 'name' },
                    ]}
                    bodyOf={({ value = '' }) => ({ [field]: value === '' ? null : value })}
                    button={{ size: 'compact-xs' }}
                  />
                ) : null}
              </ProfileRow>
            ))}
            <ProfileRow name={all.payouts.state} value={all.states[record.state] ?? record.state}>
              {mayEdit && isOperator ? <StateButton merchant={record} /> : null}
            </ProfileRow>
          </dl>
        )}
      </Shown>
    </Panel>
  );
}

function StateButton({ merchant: { merchantId, state } }: { merchant: Answer<'merchants.show'> }) {
  const { merchantActs: words } = useWords();
  const act = state === 'active' ? 'suspend' : 'activate';
  return (
    <ActButton
      act={`merchants.${act}`}
      params={{ merchantId }}
      label={words[act]}
      text={words[`${act}Text`]}
      button={{ size: 'compact-xs' }}
    />
  );
}

function ProfileRow({ name, value, children }: { name: string; value: string | null; children?: React.ReactNode }) {
  const { none } = useWords();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
          <span className={value === null ? 'muted' : ''}>{value ?? none}</span>
          {children}
        </Group>
      </dd>
    </>
  );
}

interface SettingTableProps {
  readonly version: string;
  readonly items: readonly Setting[];
  readonly repeated: readonly Repeated[];
}

function SettingTable({ version, items, repeated }: SettingTableProps) {
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

/** If `version` is null, the person may not edit. */
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

/** A logo is thousands of letters long. */
const shortened = (value: string) => (value.length > 120 ? `${value.slice(0, 60)}…` : value);

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

/** The operator’s terms are the operator’s to change. */
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

/** Settings that a merchant may have per method or currency: one button each. */
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

/** The changes of the settings, from the audit log, with a button that restores the earlier value. */
function History({ version }: { version: string }) {
  const words = useWords();
  const may = useMay();
  const merchantId = useMerchantId();
  const query = { object: `merchants/${merchantId}`, act: 'merchants.edit', merchantId };
  const entries = usePages('audit.list', query);
  if (!may('audit:read')) return null;
  const items = entries.data?.pages.flatMap((page) => page.items) ?? [];
  const edits = items.flatMap((entry) => editsOf(entry.detail).map((edit, place) => ({ entry, edit, place })));
  return (
    <Panel title={words.settings.history}>
      <Table
        empty={<Empty>{words.settings.noHistory}</Empty>}
        label={words.settings.history}
        columns={historyColumns(words, may('merchants:write') ? version : null)}
        items={edits}
        keyOf={({ entry, place }) => `${entry.actId}/${place}`}
      />
    </Panel>
  );
}

interface PastEdit {
  readonly entry: AuditEntry;
  readonly edit: Edit;
}

function historyColumns(
  { settings: words, audit, none, payment }: Words,
  version: string | null,
): readonly Column<PastEdit>[] {
  const shown: Column<PastEdit>[] = [
    { label: audit.at, cell: ({ entry }) => <Moment at={entry.at} /> },
    { label: audit.actor, cell: ({ entry: { actor } }) => actorName(payment, actor) },
    { label: words.setting, cell: ({ edit }) => <span className="code">{edit.name}</span> },
    {
      label: words.before,
      cell: ({ edit }) => (
        <Text span size="sm" className="muted">
          {shortened(edit.before ?? none)}
        </Text>
      ),
    },
    { label: words.after, cell: ({ edit }) => shortened(edit.after ?? none) },
  ];
  if (version === null) return shown;
  return [
    ...shown,
    { label: words.undo, isEnd: true, cell: ({ edit }) => <UndoButton edit={edit} version={version} /> },
  ];
}

function UndoButton({ edit, version }: { edit: Edit; version: string }) {
  const { settings: words, none } = useWords();
  const merchantId = useMerchantId();
  return (
    <ActButton
      act="merchants.edit"
      params={{ merchantId }}
      ifMatch={version}
      label={words.undo}
      name={`${words.undo}: ${edit.name}`}
      text={words.undoText(edit.name, shortened(edit.before ?? none))}
      bodyOf={() => edit.undo}
      button={{ size: 'compact-xs' }}
    />
  );
}
