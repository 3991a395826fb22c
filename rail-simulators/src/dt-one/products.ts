/** The simulated mobile operators of Kazakhstan, their number prefixes and their products. All data is fictional. */

export interface Operator {
  readonly id: number;
  readonly name: string;
  /** The number prefixes of the operator. */
  readonly prefixes: readonly string[];
}

export const OPERATORS: readonly Operator[] = [
  { id: 2001, name: 'Simulated Steppe Kazakhstan', prefixes: ['+7705', '+7771', '+7776', '+7777'] },
  { id: 2002, name: 'Simulated Cell Kazakhstan', prefixes: ['+7701', '+7702', '+7775', '+7778'] },
  { id: 2003, name: 'Simulated Altai Kazakhstan', prefixes: ['+7700', '+7707', '+7708', '+7747'] },
];

export function operatorOf(mobileNumber: string): Operator | undefined {
  return OPERATORS.find(({ prefixes }) => prefixes.some((prefix) => mobileNumber.startsWith(prefix)));
}

/** Returns the next operator, as an outdated lookup would. */
export function formerOperatorOf(operator: Operator): Operator {
  return OPERATORS[(OPERATORS.indexOf(operator) + 1) % OPERATORS.length] ?? operator;
}

export interface Product {
  readonly id: number;
  readonly operator: Operator;
}

/** The products, one for each operator: any amount from 1 to 100,000 tenge. */
export const PRODUCTS: readonly Product[] = OPERATORS.map((operator) => ({ id: operator.id + 7_000, operator }));

export const RANGE = { least: 100, most: 10_000_000 } as const;

/** Returns the price in US cents of an amount in tiyn. */
export function priceOf(tiyn: number): number {
  return Math.ceil(tiyn / 500);
}
