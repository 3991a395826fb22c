/**
 * Decides to which addresses callbacks may be sent (decision 44). The protocol code checks the URL as written and, when it
 * connects, every address from the DNS lookup. Pure.
 */
import ipaddr from 'ipaddr.js';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantProfile } from './merchant.ts';

export interface TargetPolicy {
  /** In development, plain HTTP, any port and the loopback are also allowed, but never private networks. */
  readonly development: boolean;
  /** TCP ports allowed in addition to 443. */
  readonly extraPorts: ReadonlySet<number>;
}

/** Parses a callback URL. The failure is one sentence for the merchant. Makes no DNS lookup. */
export function readTarget(text: string, policy: TargetPolicy): Result<URL, string> {
  const url = URL.parse(text);
  if (url === null) return fail('The value is not a URL');
  const protocols = policy.development ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(url.protocol)) return fail('The URL does not begin with https://');
  if (url.username !== '' || url.password !== '') return fail('The URL contains a user name or a password');
  const port = url.port === '' ? 443 : Number(url.port);
  if (!policy.development && port !== 443 && !policy.extraPorts.has(port)) return fail(`Port ${port} is not allowed`);
  const literal = literalAddress(url);
  if (literal !== undefined && !isAllowedAddress(literal, policy)) return fail(`${literal} is not a public address`);
  return ok(url);
}

/** Returns the IP address that a URL contains literally. The URL parser has normalised octal, hex and short forms. */
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * True for globally routable unicast addresses. Rejects every IPv6 form that embeds an IPv4 address (mapped, NAT64, 6to4,
 * Teredo): no merchant needs one, and each could bypass a check.
 */
export function isAllowedAddress(address: string, policy: TargetPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.development;
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6));
}

const ADDRESSES = {
  payout: ({ payoutCallbackUrl, processUrl }) => payoutCallbackUrl ?? processUrl,
  deposit: ({ processUrl }) => processUrl,
  event: ({ eventUrl }) => eventUrl,
} satisfies Record<string, (merchant: MerchantProfile) => string | null>;

/** Returns the merchant's URL for callbacks of this kind, or null if there is none. */
export function callbackAddress(subject: keyof typeof ADDRESSES, merchant: MerchantProfile): string | null {
  return ADDRESSES[subject](merchant);
}
