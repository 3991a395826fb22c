/** Internet addresses: one spelling for each, and whether one lies in a list of addresses and networks. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Undefined where the text is no address. IPv4 inside IPv6 is IPv4. */
export function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** Of an IPv6 address: what a provider gives one customer, who chooses the rest freely. */
const CUSTOMER_PARTS = 4;

/** One text for all addresses that one customer may come from; undefined where the text is no address. */
export function addressGroup(text: string): string | undefined {
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString();
  return `${address.parts
    .slice(0, CUSTOMER_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
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

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`: what may stand in a list. Nothing abbreviated, octal or hexadecimal. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && parseNetwork(text) !== undefined;
}

/** A list is one frozen array until the settings it stands in change, so it is read once. */
const parsedLists = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(list: readonly string[]): readonly Network[] {
  const known = parsedLists.get(list);
  if (known) return known;
  const networks = list.map(parseNetwork).filter((network) => network !== undefined);
  parsedLists.set(list, networks);
  return networks;
}

/** Whether the address is one of the list's or lies in one of its networks. A text that is no address never does. */
export function isInNetworks(text: string, list: readonly string[]): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  return networksOf(list).some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** Networks that are routed inside an organisation only (RFC 1918, 4193, 6598), loopback and link-local addresses. */
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

/** True for an address that no stranger on the internet reaches. */
export function isInternalAddress(text: string): boolean {
  return isInNetworks(text, INTERNAL);
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

export function isLoopbackAddress(text: string): boolean {
  return isInNetworks(text, LOOPBACK);
}

/** The most public addresses that a list may have, each as the length of a network of that size. */
export interface BreadthLimit {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** True when the public addresses of the list add up to more than the limit. */
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

/** True when one entry is a network of every address of its kind. */
export function hasEveryAddress(list: readonly string[]): boolean {
  return networksOf(list).some(([, bits]) => bits === 0);
}
