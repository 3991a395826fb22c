/** Manual actions at a provider or bank, each with the status that it requires. */
import { invalid } from './book-page.ts';
import { doneOr } from './control-surface.ts';
import type { Reply } from './http-server.ts';

export type Acts<State, Outcome> = Readonly<Record<string, { readonly from: readonly State[]; readonly to: Outcome }>>;

/** Returns undefined for an unknown action. */
function actNamed<Table extends object>(acts: Table, name: unknown): keyof Table | undefined {
  return typeof name === 'string' && Object.hasOwn(acts, name) ? (name as keyof Table) : undefined;
}

/**
 * Returns the response to a request for an action. `found` is the object that the request's `field` selects, `name` is the
 * action.
 */
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
