/**
 * The optional signature of a form request: `sign`, the MD5 scheme over merchant, order, amount and currency, under a
 * form key (decisions, Signatures: form sign). It proves who asked for which amount. It must not check formats or
 * read other fields.
 */
import type { MerchantKey, MerchantWithKeys } from '../../../domain/merchants/merchant.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { verifyMd5 } from '../../signatures/md5-sign.ts';
import { signedSet } from '../../signatures/signed-set.ts';
import type { FormRefusal } from './form-refusal.ts';
import type { FormParameters } from './read-form-request.ts';

const SIGNED_FIELDS = ['merchant', 'order', 'amount', 'currency'] as const;

export const FORM_SIGNED = signedSet(SIGNED_FIELDS);

/**
 * Returns the form key that made the signature, or null if the request is unsigned and may be. `keys` holds the valid
 * keys. An empty signature is a wrong one, because a request with `sign=` intended to sign.
 */
export function checkFormSignature(
  parameters: FormParameters,
  { merchant, keys }: MerchantWithKeys,
): Result<MerchantKey | null, FormRefusal> {
  const need = merchant.settings.form_sign;
  const sign = parameters.get('sign');
  if (need === 'off') return ok(null);
  if (sign === undefined) return need === 'required' ? fail({ kind: 'missing', field: 'sign' }) : ok(null);
  const covered = new Map<string, string>();
  for (const field of SIGNED_FIELDS) {
    const text = parameters.get(field);
    if (text === undefined) return fail({ kind: 'missing', field });
    covered.set(field, text);
  }
  const key = keys.form.find(({ secret }) => verifyMd5(covered, secret, sign));
  return key === undefined ? fail({ kind: 'wrong_signature', field: 'sign' }) : ok(key);
}
