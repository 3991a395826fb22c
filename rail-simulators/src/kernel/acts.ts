/** What people do at a provider or at a bank, as a table, and where something has to stand for it. */
import { invalid } from './book-page.ts';
import { doneOr } from './control-surface.ts';
import type { Reply } from './http-server.ts';

export type Acts<State, Outcome> = Readonly<Record<string, { readonly from: readonly State[]; readonly to: Outcome }>>;

/** Undefined where there is no such act. */
export function actNamed<Table extends object>(acts: Table, name: unknown): keyof Table | undefined {
  return typeof name === 'string' && Object.hasOwn(acts, name) ? (name as keyof Table) : undefined;
}

/** The reply to who asks for an act: `found` is what it is about, named by that field. */
export async function replyToAct<Found, Table extends object>(
  acts: Table,
  { found, field, name }: { readonly found: Found | undefined; readonly field: string; readonly name: unknown },
  act: (found: Found, name: keyof Table) => Promise<object | undefined>,
): Promise<Reply> {
  const known = actNamed(acts, name);
  if (found === undefined) return invalid(field);
  if (known === undefined) return invalid('behaviour', Object.keys(acts).join(', '));
  return doneOr('it_stands_elsewhere', await act(found, known));
}
