/**
 * Magic amounts: the cents of an amount select the outcome of one payout, so that manual tests work without the control
 * surface. The same cents mean the same at every provider that supports the outcome. Each provider's table lists its amounts.
 */

/** Faults for one payout, by the last two digits of its amount. They override the current faults. */
export type MagicAmounts<Faults> = Readonly<Record<string, Readonly<Partial<Faults>>>>;

/** The faults for one payout, after its amount has selected the outcome. */
export type FaultsOfOne<Faults, Name extends keyof Faults> = Readonly<
  Omit<Faults, Name> & Record<Name, Exclude<Faults[Name], 'by_amount'>>
>;

/**
 * `name` is the fault whose value is `by_amount` if the cents decide, and `usual` its value for any other amount. The amount
 * is in minor units or has two decimals.
 */
export function faultsByAmount<Faults extends object, Name extends keyof Faults>(
  name: Name,
  usual: Exclude<Faults[Name], 'by_amount'>,
  table: MagicAmounts<FaultsOfOne<Faults, Name>>,
): (faults: Readonly<Faults>, amount: string | number) => FaultsOfOne<Faults, Name> {
  return (faults, amount) => {
    const isByAmount = faults[name] === 'by_amount';
    const own = isByAmount ? { [name]: usual, ...table[String(amount).slice(-2)] } : {};
    return { ...faults, ...own } as FaultsOfOne<Faults, Name>;
  };
}
