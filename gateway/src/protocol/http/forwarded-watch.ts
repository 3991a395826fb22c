/**
 * Detects a proxy that TRUSTED_PROXIES does not name: requests in a row that carry X-Forwarded-For and come from one untrusted
 * address. Allow-lists and limits take each of its clients for the proxy itself.
 */
import { isInNetworks } from '../../foundation/networks.ts';

/** A stranger may write the header as well; so many in a row, with no other such address in between, are a proxy's. */
const IN_A_ROW = 20;

export interface ForwardedWatch {
  /** Call it for each request with the header, with the address of the connection. */
  seen(address: string): void;
}

/** Calls `onProxy` after every IN_A_ROW such requests. */
export function createForwardedWatch(
  trustedProxies: readonly string[],
  onProxy: (address: string) => void,
): ForwardedWatch {
  /** Found last: most requests of a gateway behind a proxy come from it. */
  let trusted = '';
  let stranger = '';
  let inARow = 0;
  return {
    seen(address) {
      if (address === trusted) return;
      if (address !== stranger) {
        if (isInNetworks(address, trustedProxies)) {
          trusted = address;
          return;
        }
        stranger = address;
        inARow = 0;
      }
      inARow += 1;
      if (inARow % IN_A_ROW === 0) onProxy(address);
    },
  };
}
