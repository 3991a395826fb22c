/** Whether an old signing key is still in use after a rotation. */
import type { Answer } from '../../api/client.ts';

type Key = Pick<Answer<'merchants.show'>['keys'][number], 'purpose' | 'createdAt' | 'validUntil' | 'lastUsedAt'>;

/** Returns null for a key without an end, otherwise whether it signed a request after its purpose's newest key was made. */
export function isStillUsed({ purpose, validUntil, lastUsedAt }: Key, keys: readonly Key[]): boolean | null {
  const others = keys.filter((key) => key.purpose === purpose).map(({ createdAt }) => Date.parse(createdAt));
  return validUntil === null ? null : Date.parse(lastUsedAt ?? '') > Math.max(...others);
}
