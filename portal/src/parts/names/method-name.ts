/** A payout method by its number and its name, for the operator. */
import { EN_NAMES } from '../../words/en/names.ts';

export const methodName = (method: number): string => `${method} · ${EN_NAMES.payoutMethods[method] ?? ''}`;
