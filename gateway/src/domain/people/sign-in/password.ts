/** Hashes of passwords: Argon2id with 64 MiB and 3 passes. */
import { argon2, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../foundation/secret.ts';
import { createTurns } from '../../../foundation/turns.ts';

/** Each computation uses 64 MiB and a thread for a tenth of a second. */
const AT_ONCE = 2;
const PARAMETERS = { parallelism: 1, tagLength: 32, memory: 64 * 1024, passes: 3 } as const;
export const SALT_BYTES = 16;
/** Compared if there is no password, so that the response takes the same time. */
export const NO_PASSWORD = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(PARAMETERS.tagLength) } as const;

const inTurn = createTurns(AT_ONCE);

/** At most two computations run concurrently in this process. Others wait. */
export function hashPassword(password: Secret, salt: Buffer): Promise<Buffer> {
  return inTurn(() => derive(password.reveal().normalize('NFC'), salt));
}

export async function isPassword(
  password: Secret,
  { salt, hash }: { readonly salt: Buffer; readonly hash: Buffer },
): Promise<boolean> {
  return timingSafeEqual(await hashPassword(password, salt), hash);
}

function derive(message: string, nonce: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { ...PARAMETERS, message, nonce }, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
