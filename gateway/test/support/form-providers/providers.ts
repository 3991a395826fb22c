/** Every form provider by the name of its rail. */
import { adyen } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { pix } from '../../../src/rails/pix/form-provider-under-test.ts';
import { tokenIo } from '../../../src/rails/token-io/form-provider-under-test.ts';
import { trustly } from '../../../src/rails/trustly/form-provider-under-test.ts';
import { vopay } from '../../../src/rails/vopay/form-provider-under-test.ts';
import type { ProviderRow } from './provider.ts';

export const PROVIDERS = { adyen, pix, 'token-io': tokenIo, trustly, vopay } as const satisfies Readonly<
  Record<string, ProviderRow>
>;

export type RailName = keyof typeof PROVIDERS;

export const RAIL_NAMES = Object.keys(PROVIDERS) as readonly RailName[];
