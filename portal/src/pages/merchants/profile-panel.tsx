/** The merchant's profile: each URL with its button, and the merchant's state. */
import { Group } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { actorName, useWords } from '../../words/words.ts';
import { type PastEdit, usePastEdits } from './history-panel.tsx';

const PROFILE_FIELDS = [
  'name',
  'siteUrl',
  'processUrl',
  'successUrl',
  'failUrl',
  'payoutCallbackUrl',
  'eventUrl',
] as const;

export function ProfilePanel({ version }: { version: string }) {
  const { settings: words, ...all } = useWords();
  const merchantId = useMerchantId();
  const mayEdit = useMay()('merchants:write');
  const isOperator = useSession().merchantId === null;
  const edits = usePastEdits();
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
                past={edits.find(({ edit }) => edit.name === field)}
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

interface ProfileRowProps {
  readonly name: string;
  readonly value: string | null;
  /** The latest change of the value. */
  readonly past?: PastEdit | undefined;
  readonly children?: React.ReactNode;
}

function ProfileRow({ name, value, past, children }: ProfileRowProps) {
  const { none, payment } = useWords();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
          <div>
            <span className={value === null ? 'muted' : ''}>{value ?? none}</span>
            {past ? (
              <p className="tiny muted">
                {actorName(payment, past.entry.actor)} · <Moment at={past.entry.at} />
              </p>
            ) : null}
          </div>
          {children}
        </Group>
      </dd>
    </>
  );
}
