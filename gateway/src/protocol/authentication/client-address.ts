/** Where a request came from: whether it may, and a key to count it by. */
import ipaddr from 'ipaddr.js';
import { isInNetworks, parseAddress } from '../../foundation/networks.ts';

/** True for everybody when the list is empty. */
export function isAddressAllowed(text: string, allowList: readonly string[]): boolean {
  return allowList.length === 0 || isInNetworks(text, allowList);
}

const IPV6_SITE_PARTS = 4;

/** Equal for what one client can choose among: an IPv4 address, or all of an IPv6 site's addresses (its /64). */
export function addressKey(text: string): string {
  const address = parseAddress(text);
  if (address instanceof ipaddr.IPv6)
    return address.parts
      .slice(0, IPV6_SITE_PARTS)
      .map((part) => part.toString(16))
      .join(':');
  return address?.toString() ?? '';
}
