/** The rules for a merchant's id, name, addresses and key (decisions 44, 49 and 50). */
import type { Environment, Mode } from '../../foundation/environment.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { isId } from '../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { readTarget } from './callback-target.ts';
import type { MerchantProfile } from './merchant.ts';
import type { MerchantField, MerchantRejection } from './merchant-rejection.ts';
import type { MethodCurrencies } from './merchant-settings.ts';

export interface MerchantRules {
  readonly environment: Environment;
  readonly mode: Mode;
  /** Ports that callbacks may use outside development, in addition to 443. */
  readonly callbackExtraPorts: ReadonlySet<number>;
  readonly methodCurrencies: MethodCurrencies;
}

/** 48 characters out of 62 letters and digits carry 285 bits, more than 32 random bytes. */
const KEY_LENGTH = 48;
const SHORTEST_KEY_IN_PRODUCTION = 32;
const LONGEST_KEY = 256;
const LONGEST_NAME = 255;
const LONGEST_URL = 2_048;

export function generateMerchantId(random: Random): MerchantId {
  return `M${randomAlphanumeric(random, 12).toUpperCase()}`;
}

/** Distinguishes a sandbox key from a live key, for readers, for secret scanners and for the gateway itself. */
const SANDBOX_PREFIX = 'SANDBOX';

export function generateKey(random: Random, { mode }: Pick<MerchantRules, 'mode'>): Secret {
  return new Secret((mode === 'sandbox' ? SANDBOX_PREFIX : '') + randomAlphanumeric(random, KEY_LENGTH));
}

/** Returns the fault of a given key, or undefined. */
export function keyFault(key: Secret, { environment, mode }: MerchantRules): string | undefined {
  const text = key.reveal();
  if (text === '') return 'is empty';
  if (!/^[\x21-\x7e]+$/.test(text)) return 'must contain only printable ASCII characters without spaces';
  // The MD5 scheme appends a colon and the key. If the key contained a colon, a part of it could pass for a signed value.
  if (text.includes(':')) return 'must not contain a colon';
  const isOfSandbox = text.startsWith(SANDBOX_PREFIX);
  if (isOfSandbox && mode === 'live') return 'is a sandbox key, which a live merchant must not have';
  if (!isOfSandbox && mode === 'sandbox') return `must begin with ${SANDBOX_PREFIX}: never use a live key in a sandbox`;
  if (text.length > LONGEST_KEY) return `has more than ${LONGEST_KEY} characters`;
  if (environment === 'production' && text.length < SHORTEST_KEY_IN_PRODUCTION) {
    return `has fewer than ${SHORTEST_KEY_IN_PRODUCTION} characters, which production rejects`;
  }
  return undefined;
}

/** `others` are the keys of other purposes. If two purposes shared a key, a signature for one would be valid for the other. */
export function sameKeyFault(key: Secret, others: readonly Secret[]): string | undefined {
  const isTaken = others.some((other) => other.reveal() === key.reveal());
  return isTaken ? 'must differ from the merchant’s key of the other purpose' : undefined;
}

/**
 * An id must not look like a currency: a balance request signs `currency:merchant`, and a status request
 * `merchant:payout_id`.
 */
export function merchantIdFault(merchantId: MerchantId): string | undefined {
  if (!isId(merchantId)) return 'must be 1 to 64 of A–Z, a–z, 0–9, ".", "_" and "-"';
  return /^[A-Z]{3}$/.test(merchantId) ? 'must not look like a currency: three capital letters' : undefined;
}

const URLS: Readonly<Record<Exclude<keyof MerchantProfile, 'name'>, 'page' | 'callback'>> = {
  siteUrl: 'page',
  processUrl: 'callback',
  successUrl: 'page',
  failUrl: 'page',
  payoutCallbackUrl: 'callback',
  eventUrl: 'callback',
};

/** Returns the first fault in the given fields of a profile, or undefined. */
export function profileFault(profile: Partial<MerchantProfile>, rules: MerchantRules): MerchantRejection | undefined {
  if (profile.name !== undefined) {
    const reason = nameFault(profile.name);
    if (reason) return invalid('name', reason);
  }
  for (const [field, kind] of Object.entries(URLS) as [keyof typeof URLS, 'page' | 'callback'][]) {
    const url = profile[field];
    const reason = url === undefined || url === null ? undefined : urlFault(url, kind, rules);
    if (reason) return invalid(field, reason);
  }
  return undefined;
}

export function invalid(field: MerchantField, reason: string): MerchantRejection {
  return { kind: 'invalid', field, reason };
}

function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'is empty';
  if (name.length > LONGEST_NAME) return `has more than ${LONGEST_NAME} characters`;
  return /\p{Cc}/u.test(name) ? 'contains control characters' : undefined;
}

/** URL parsers accept more characters, some of which have a special meaning in a header that contains the host. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** Checks only the text. The resolved addresses are checked when a callback connects. */
function urlFault(text: string, kind: 'page' | 'callback', rules: MerchantRules): string | undefined {
  if (text.length > LONGEST_URL) return `has more than ${LONGEST_URL} characters`;
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) return 'is not an http(s) URL';
  if (!PLAIN_HOST.test(url.hostname)) return 'has a host with invalid characters';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment (#…)';
  const development = rules.environment === 'development';
  if (!development && url.protocol !== 'https:') return 'must begin with https:// (plain http is for development only)';
  if (kind === 'page') return undefined;
  const target = readTarget(text, { development, extraPorts: rules.callbackExtraPorts });
  return target.ok ? undefined : `is not allowed for callbacks: ${target.error}`;
}
