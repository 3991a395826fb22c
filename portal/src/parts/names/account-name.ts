/** The names of ledger accounts. */
import type { Words } from '../../words/en/en.ts';

/** Returns the name of a ledger account. `clearing:RAIL` is the gateway's money at a bank. */
export function accountName(account: string, { payment }: Pick<Words, 'payment'>): string {
  const [kind = '', rail] = account.split(':');
  return rail ?? payment.accounts[kind] ?? account;
}
