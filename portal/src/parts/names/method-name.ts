/** A payout method by number and name, for the operator. */
import { EN_NAMES } from '../../words/en/names.ts';

export const methodName = (method: number): string => `${method} · ${EN_NAMES.payoutMethods[method] ?? ''}`;
