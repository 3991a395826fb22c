/**
 * Masks personal data on the server for callers without the permission `personal:read`. Card numbers arrive here already
 * masked. A masked value stays recognisable: it keeps the last four characters, or the domain of an email address. A merchant
 * sees the operator's role instead of the names of operator users and programs.
 */
import type { Actor, ActorNames } from '../../../domain/audit/actor.ts';
import { type Caller, mayUse } from '../../../domain/people/caller.ts';

export type Mask = (text: string) => string;

const SHOWN = 4;

export function maskFor(caller: Caller): Mask {
  return mayUse(caller, 'personal:read') ? (text) => text : maskText;
}

export function maskText(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${text.slice(0, 1)}***${text.slice(at)}`;
  if (/\d{4}$/.test(text) && text.length >= 2 * SHOWN) return `***${text.slice(-SHOWN)}`;
  return text === '' ? '' : `${text.slice(0, 1)}***`;
}

export type ShowActor = (name: string) => string;

export const showAll: ShowActor = (name) => name;

/** Decision 65. `isEmpty` means that the page contains no names, so the merchant's names are not read. */
export async function actorsShownTo(
  { merchantId }: Pick<Caller, 'merchantId'>,
  namesFor: ActorNames,
  isEmpty = false,
): Promise<ShowActor> {
  if (merchantId === null || isEmpty) return showAll;
  const names = await namesFor(merchantId);
  return (name) => (names.has(name) ? name : 'operator');
}

export function isHidden({ name }: Pick<Actor, 'name'>, show: ShowActor): boolean {
  return show(name) !== name;
}

/** Also omits the id, because the id of someone with a shell is a name. */
export function showActor<Shown extends Pick<Actor, 'id' | 'name'>>(actor: Shown, show: ShowActor): Shown {
  return isHidden(actor, show) ? { ...actor, id: '', name: show(actor.name) } : actor;
}

/** Returns the kind and the id of an actor as a merchant sees them. The id of someone with a shell is a name. */
export function showActorKey(key: string): string {
  return key.startsWith('emergency:') ? 'operator' : key;
}
