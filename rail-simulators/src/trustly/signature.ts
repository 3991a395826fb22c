/**
 * Creates and verifies Trustly's signatures. Written independently of the gateway's code, so that neither hides a bug of the
 * other. It walks the data with a stack, hashes incrementally, and preserves the JSON's numbers as written.
 */
import { createSign, createVerify, type KeyObject } from 'node:crypto';

export type Hash = 'RS256' | 'SHA1';

export interface Call {
  readonly method: string;
  readonly uuid: string;
  readonly data: unknown;
}

export function signedText({ method, uuid, data }: Call): string {
  const parts = [method, uuid];
  const stack: unknown[] = [data];
  while (stack.length > 0) {
    const value = stack.pop();
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) stack.push(...value.toReversed());
    else if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value).sort(byBytes).reverse()) stack.push(inner, key);
    } else parts.push(String(value));
  }
  return parts.join('');
}

function byBytes([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return Buffer.from(one).compare(Buffer.from(other));
}

export function sign(call: Call, privateKey: KeyObject, hash: Hash): string {
  const [algorithm, prefix] = hash === 'RS256' ? ['RSA-SHA256', 'alg=RS256;'] : ['RSA-SHA1', ''];
  return prefix + createSign(algorithm).update(signedText(call), 'utf8').sign(privateKey, 'base64');
}

export function isSigned(call: Call, signature: unknown, publicKey: KeyObject): boolean {
  if (typeof signature !== 'string') return false;
  const isNew = signature.startsWith('alg=RS256;');
  const base64 = isNew ? signature.slice('alg=RS256;'.length) : signature;
  const verifier = createVerify(isNew ? 'RSA-SHA256' : 'RSA-SHA1').update(signedText(call), 'utf8');
  return verifier.verify(publicKey, base64, 'base64');
}
