import type { Words } from '../../words/en/en.ts';

/** An account of the ledger in words. `clearing:RAIL` is our money at a bank. */
export function accountName(account: string, { payment }: Pick<Words, 'payment'>): string {
  const [kind = '', rail] = account.split(':');
  return rail ?? payment.accounts[kind] ?? account;
}
