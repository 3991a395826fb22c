/** The changes in an edit of a merchant, as the audit log stores them. */
import type { Call } from '../../api/client.ts';

export interface Edit {
  /** A field of the profile, or a setting. */
  readonly name: string;
  /** Null for a field without a value, or a setting with its default. */
  readonly before: string | null;
  readonly after: string | null;
  /** The request body that restores the earlier values. */
  readonly undo: NonNullable<Call<'merchants.edit'>['body']>;
}

type Named = Readonly<Record<string, unknown>>;

/** `detail` belongs to the audit entry of a completed edit, with the merchant before and after it. */
export function editsOf(detail: unknown): readonly Edit[] {
  const { before, after } = (detail ?? {}) as { before?: Named; after?: Named };
  if (!before || !after) return [];
  const settings = changesOf(before['settings'] as Named, after['settings'] as Named);
  return [
    ...changesOf(before, after).map((change) => ({ ...change, undo: { [change.name]: change.before } })),
    ...settings.map((change) => ({ ...change, undo: { settings: { [change.name]: change.before } } })),
  ];
}

function changesOf(before: Named, after: Named): Omit<Edit, 'undo'>[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => isText(before[name]) && isText(after[name]) && before[name] !== after[name])
    .map((name) => ({ name, before: textOf(before[name]), after: textOf(after[name]) }));
}

const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** A logo is thousands of characters long. */
export const shortened = (value: string) => (value.length > 120 ? `${value.slice(0, 60)}…` : value);
