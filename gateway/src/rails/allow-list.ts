/** Whether an address is one of those that are believed, for providers whose messages nothing else vouches for. */
import ipaddr from 'ipaddr.js';

/** `allowList`: addresses and networks (CIDR), already checked. An address that is none is not allowed. */
export function isInNetworks(address: string, allowList: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return allowList.some((entry) => {
    const [network, bits] = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), undefined];
    if (network.kind() !== from.kind()) return false;
    return from.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128));
  });
}
