/** The providers behind the hosted form, in the order in which the shop offers them. */
import { adyen } from './adyen.ts';
import type { FormProvider } from './form-provider.ts';
import { pix } from './pix.ts';
import { tokenIo } from './token-io.ts';
import { trustly } from './trustly.ts';
import { vopay } from './vopay.ts';

export const FORM_PROVIDERS: readonly FormProvider[] = [adyen, tokenIo, vopay, pix, trustly];
