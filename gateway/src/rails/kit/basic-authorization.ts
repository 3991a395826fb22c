/** HTTP Basic (RFC 7617): the value of the Authorization header. */
import type { Secret } from '../../foundation/secret.ts';

export function basicAuthorization(user: string, password: Secret): string {
  return `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}`;
}
