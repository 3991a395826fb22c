/**
 * Masks personal data on the server for callers without the permission `personal:read`. Card numbers arrive here already
 * masked. A masked value keeps enough to recognise it: the last four characters, or the domain of an e-mail address.
 */
import { type Caller, mayUse } from '../../domain/people/caller.ts';

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
