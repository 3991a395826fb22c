/** IP addresses: one normal spelling, and membership in a list of addresses and networks. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Returns undefined if the string is not an address. An IPv4-mapped IPv6 address becomes IPv4. */
export function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** The number of leading parts of an IPv6 address that a provider assigns to one customer, who chooses the rest freely. */
const CUSTOMER_PARTS = 4;

/** Returns the same text for all addresses that one customer may use, or undefined if the string is not an address. */
export function addressGroup(text: string): string | undefined {
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString();
  return `${address.parts
    .slice(0, CUSTOMER_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

const MAPPED_PREFIX_BITS = 96;

/** Returns undefined if the entry is neither an address nor a network. It then matches no address. */
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

/** Accepts `192.0.2.1`, `192.0.2.0/24` and `2001:db8::/32`. It rejects abbreviated, octal and hexadecimal forms. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && parseNetwork(text) !== undefined;
}

/** A list stays one frozen array until its settings change, so each list is parsed once. */
const parsedLists = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(list: readonly string[]): readonly Network[] {
  const known = parsedLists.get(list);
  if (known) return known;
  const networks = list.map(parseNetwork).filter((network) => network !== undefined);
  parsedLists.set(list, networks);
  return networks;
}

/** True if the list contains the address, either itself or in a network. False for a string that is not an address. */
export function isInNetworks(text: string, list: readonly string[]): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  return networksOf(list).some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** Networks that only an organisation routes internally (RFC 1918, 4193, 6598), loopback and link-local addresses. */
const INTERNAL = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
] as const;

/** True for an address that is not reachable on the public internet. */
export function isInternalAddress(text: string): boolean {
  return isInNetworks(text, INTERNAL);
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

export function isLoopbackAddress(text: string): boolean {
  return isInNetworks(text, LOOPBACK);
}

/** The maximum number of public addresses in a list, as the prefix length of one network of that size. */
interface BreadthLimit {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** True if the list contains more public addresses than the limit allows. */
export function isBroad(list: readonly string[], limit: BreadthLimit): boolean {
  const shares = { ipv4: 0, ipv6: 0 };
  for (const [address, bits] of networksOf(list)) if (!isInternal(address, bits)) shares[address.kind()] += 2 ** -bits;
  return shares.ipv4 > 2 ** -limit.ipv4 || shares.ipv6 > 2 ** -limit.ipv6;
}

function isInternal(address: Address, bits: number): boolean {
  return networksOf(INTERNAL).some(
    ([network, width]) => network.kind() === address.kind() && bits >= width && address.match(network, width),
  );
}

/** True if one entry is the network of all addresses of its IP version. */
export function hasEveryAddress(list: readonly string[]): boolean {
  return networksOf(list).some(([, bits]) => bits === 0);
}
