/** Every provider of the hosted form, by the name of its rail. */
import { adyen } from './adyen.ts';
import { pix } from './pix.ts';
import type { ProviderRow } from './provider.ts';
import { tokenIo } from './token-io.ts';
import { trustly } from './trustly.ts';
import { vopay } from './vopay.ts';

export const PROVIDERS = { adyen, pix, 'token-io': tokenIo, trustly, vopay } as const satisfies Readonly<
  Record<string, ProviderRow>
>;

export type RailName = keyof typeof PROVIDERS;

export const RAIL_NAMES = Object.keys(PROVIDERS) as readonly RailName[];
