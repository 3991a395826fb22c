/**
 * Detects a proxy that is missing from TRUSTED_PROXIES: one untrusted address sends consecutive requests with
 * X-Forwarded-For. Allow-lists and rate limits take all clients of such a proxy for the proxy itself.
 */
import { isInNetworks } from '../../foundation/networks.ts';

/** Any client can write the header. This many consecutive requests from one untrusted address come from a proxy. */
const IN_A_ROW = 20;

export interface ForwardedWatch {
  /** Call it for each request that has the header. `address` is the peer of the connection. */
  seen(address: string): void;
}

/** Calls `onProxy` after every IN_A_ROW such requests. */
export function createForwardedWatch(
  trustedProxies: readonly string[],
  onProxy: (address: string) => void,
): ForwardedWatch {
  /** The last trusted address. Behind a proxy, most requests come from it. */
  let trusted = '';
  let latest = '';
  let inARow = 0;
  return {
    seen(address) {
      if (address === trusted) return;
      if (address !== latest) {
        if (isInNetworks(address, trustedProxies)) {
          trusted = address;
          return;
        }
        latest = address;
        inARow = 0;
      }
      inARow += 1;
      if (inARow % IN_A_ROW === 0) onProxy(address);
    },
  };
}
