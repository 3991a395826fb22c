/** The history of a merchant's settings, with undo. */
import { Text } from '@mantine/core';
import type { AuditEntry } from '../../../../gateway/contract/endpoints/audit.ts';
import { usePages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Empty } from '../../parts/loading/shown.tsx';
import { useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { actorName, useWords } from '../../words/words.ts';
import { type Edit, editsOf, shortened } from './setting-edits.ts';

/** Returns the newest changes first, or none for a user who may not read them. */
export function usePastEdits(): readonly PastEdit[] {
  const merchantId = useMerchantId();
  const query = { object: `merchants/${merchantId}`, act: 'merchants.edit', merchantId };
  const entries = usePages('audit.list', query, {}, useMay()('audit:read'));
  const items = entries.data?.pages.flatMap((page) => page.items) ?? [];
  return items.flatMap((entry) => editsOf(entry.detail).map((edit, place) => ({ entry, edit, place })));
}

/** The changes of the settings, from the audit log, each with a button that restores the earlier value. */
export function HistoryPanel({ version }: { version: string }) {
  const words = useWords();
  const may = useMay();
  const edits = usePastEdits();
  if (!may('audit:read')) return null;
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

export interface PastEdit {
  readonly entry: AuditEntry;
  readonly edit: Edit;
  readonly place: number;
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
