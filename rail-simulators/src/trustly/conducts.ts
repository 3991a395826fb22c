/** The behaviours of payers on Trustly's page, as a table. Each is a bank on the page or an action of the control surface. */

export interface Conduct {
  /** The credits, each with a separate notification. */
  readonly credits: readonly ('exact' | 'less' | 'more')[];
  /** If true, the payment is only pending at first, and the rest follows after a delay. */
  readonly isSlow?: true;
  /** The later event: a credited payment is debited, or a pending payment never settles. */
  readonly afterwards?: 'debit' | 'cancel';
  /** The bank on the page whose payers behave this way. If undefined, the page has no bank for it. */
  readonly bank?: string;
}

const CONDUCTS = {
  pay: { credits: ['exact'], bank: 'Nordbank' },
  pay_slowly: { credits: ['exact'], isSlow: true, bank: 'Slow Bank (pays after a while)' },
  never_settle: { credits: [], isSlow: true, afterwards: 'cancel', bank: 'Empty Bank (agrees, and never pays)' },
  pay_and_fail: { credits: ['exact'], afterwards: 'debit', bank: 'Return Bank (pays, and takes it back later)' },
  pay_less: { credits: ['less'] },
  pay_more: { credits: ['more'] },
  pay_twice: { credits: ['exact', 'exact'] },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof CONDUCTS;

export const BANKS: readonly (readonly [conduct: ConductName, name: string])[] = Object.entries(CONDUCTS).flatMap(
  ([name, conduct]) => ('bank' in conduct ? [[name as ConductName, conduct.bank] as const] : []),
);

export function isConduct(name: unknown): name is ConductName {
  return typeof name === 'string' && Object.hasOwn(CONDUCTS, name);
}

export function conductOf(name: ConductName): Conduct {
  return CONDUCTS[name];
}
