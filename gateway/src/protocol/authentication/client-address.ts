/** Where a request came from: one spelling per address, networks to compare it with, and a key to count it by. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Undefined where the text is no address. IPv4 inside IPv6 is IPv4. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

const MAPPED_PREFIX_BITS = 96;

/** Undefined where the entry is neither an address nor a network: it then fits nobody. */
function parseNetwork(entry: string): Network | undefined {
  if (!entry.includes('/')) {
    const address = parseAddress(entry);
    return address && [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  if (!ipaddr.isValidCIDR(entry)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(entry);
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return mapped ? [address.toIPv4Address(), bits - MAPPED_PREFIX_BITS] : [address, bits];
}

/** A merchant's list is one frozen array until their settings change, so it is read once. */
const parsedLists = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(allowList: readonly string[]): readonly Network[] {
  const known = parsedLists.get(allowList);
  if (known) return known;
  const networks = allowList.map(parseNetwork).filter((network) => network !== undefined);
  parsedLists.set(allowList, networks);
  return networks;
}

/** True for everybody when the list is empty. */
export function isAddressAllowed(text: string, allowList: readonly string[]): boolean {
  if (allowList.length === 0) return true;
  const address = parseAddress(text);
  if (!address) return false;
  return networksOf(allowList).some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
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
