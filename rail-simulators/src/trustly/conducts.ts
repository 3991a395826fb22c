/** How payers behave on Trustly's page, as a table: each is one of the page's banks, or asked for by the control surface. */

export interface Conduct {
  /** What is credited, each as a notification of its own. */
  readonly credits: readonly ('exact' | 'less' | 'more')[];
  /** Only a pending at first; what follows comes after a while. */
  readonly isSlow?: true;
  /** What happens after a while: a credited payment is taken back, or a pending one never settles. */
  readonly afterwards?: 'debit' | 'cancel';
  /** How the page calls the bank whose payers do so; absent: not on the page. */
  readonly bank?: string;
}

export const conducts = {
  pay: { credits: ['exact'], bank: 'Nordbank' },
  pay_slowly: { credits: ['exact'], isSlow: true, bank: 'Slow Bank (pays after a while)' },
  never_settle: { credits: [], isSlow: true, afterwards: 'cancel', bank: 'Empty Bank (agrees, and never pays)' },
  pay_and_fail: { credits: ['exact'], afterwards: 'debit', bank: 'Return Bank (pays, and takes it back later)' },
  pay_less: { credits: ['less'] },
  pay_more: { credits: ['more'] },
  pay_twice: { credits: ['exact', 'exact'] },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof conducts;

export const banks: readonly (readonly [conduct: ConductName, name: string])[] = Object.entries(conducts).flatMap(
  ([name, conduct]) => ('bank' in conduct ? [[name as ConductName, conduct.bank] as const] : []),
);

export function isConduct(name: unknown): name is ConductName {
  return typeof name === 'string' && Object.hasOwn(conducts, name);
}

export function conductOf(name: ConductName): Conduct {
  return conducts[name];
}
