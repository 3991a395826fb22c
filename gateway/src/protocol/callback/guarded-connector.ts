/**
 * How a callback's connection is made: only to addresses that were checked, at the moment of connecting. A name is looked
 * up once per connection and the socket goes to those very addresses, so a name that answers differently the next time
 * gains nothing; an address written out in the URL never reaches a look-up and is checked by itself.
 */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isAllowedAddress, type TargetPolicy } from '../../domain/merchants/callback-target.ts';
import { SECOND_MS } from '../../foundation/clock.ts';

/** All addresses of a host name. Rejects when there are none. */
export type LookUp = (hostname: string) => Promise<readonly string[]>;

export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;

export function createGuardedConnector(policy: TargetPolicy, lookUp: LookUp): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(policy, lookUp),
  });
  return (options, callback) => {
    const { hostname } = options;
    if (ipaddr.isValid(hostname) && !isAllowedAddress(hostname, policy)) {
      return callback(new ForbiddenAddress(`${hostname} is not a public address`), null);
    }
    connect(options, callback);
  };
}

/** One address that is not allowed spoils the whole name: it has no business among public ones. */
function guardedLookup(policy: TargetPolicy, lookUp: LookUp): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname).then(
      (addresses) => {
        const forbidden = addresses.find((address) => !isAllowedAddress(address, policy));
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (forbidden !== undefined || first === undefined) {
          const reason = forbidden === undefined ? 'has no address' : `leads to ${forbidden}, not a public address`;
          return callback(new ForbiddenAddress(`${hostname} ${reason}`), []);
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Looks names up over sockets of its own. The system's resolver would take one of four threads for as long as a
 * merchant's name server keeps silent, and four such merchants would stop every look-up of the process.
 */
export function createLookUp(policy: TargetPolicy): LookUp {
  const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
  return async (hostname) => {
    if (policy.development && /^(.*\.)?localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}
