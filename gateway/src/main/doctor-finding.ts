/** The two ways in which the doctor's look at one thing can end. */
import type { Finding } from '../cli/gateway-operations.ts';

export function good(name: string, found: string): Finding {
  return { name, ok: true, found, mend: '' };
}

export function bad(name: string, found: string, mend: string): Finding {
  return { name, ok: false, found, mend };
}
