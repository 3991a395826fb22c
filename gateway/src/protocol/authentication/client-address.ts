/** The client's address: whether an allow-list admits it, and the key to count it by. */
import ipaddr from 'ipaddr.js';
import { isInNetworks, parseAddress } from '../../foundation/networks.ts';

/** An empty list admits every address. */
export function isAddressAllowed(text: string, allowList: readonly string[]): boolean {
  return allowList.length === 0 || isInNetworks(text, allowList);
}

const IPV6_SITE_PARTS = 4;

/** Returns the same key for all addresses that one client controls: a single IPv4 address, or the /64 of an IPv6 site. */
export function addressKey(text: string): string {
  const address = parseAddress(text);
  if (address instanceof ipaddr.IPv6)
    return address.parts
      .slice(0, IPV6_SITE_PARTS)
      .map((part) => part.toString(16))
      .join(':');
  return address?.toString() ?? '';
}
