/**
 * Magic amounts: the cents of an amount pick what becomes of one payout, so that whoever tries things out needs no control
 * surface. The same cents mean the same at every provider, as far as it knows such a thing; which ones, its own table says.
 */

/** Faults that hold for one payout, over those of the moment, by the last two digits of its amount. */
export type MagicAmounts<Faults> = Readonly<Record<string, Readonly<Partial<Faults>>>>;

/** The faults as they hold for one payout: what becomes of it is decided. */
export type FaultsOfOne<Faults, Name extends keyof Faults> = Readonly<
  Omit<Faults, Name> & Record<Name, Exclude<Faults[Name], 'by_amount'>>
>;

/**
 * `name`: the fault that is `by_amount` where the cents decide; `usual`: what it is for any amount that picks nothing else. The
 * amount is in minor units, or written with both decimals.
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
