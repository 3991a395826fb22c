/**
 * Connects callbacks only to verified addresses. It resolves a name once per connection, verifies the addresses and connects
 * to exactly those. A name that later resolves differently (DNS rebinding) therefore gains nothing. A literal address in the
 * URL is never resolved, so it is verified separately.
 */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isAllowedAddress, type TargetPolicy } from '../../domain/merchants/callback-target.ts';
import { SECOND_MS } from '../../foundation/clock.ts';

/** Returns all addresses of a host name. Rejects if there are none. */
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
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      boundAnswers(socket);
      callback(null, socket);
    });
  };
}

/** The limit of a complete response with its headers. The body has a separate, smaller limit. */
const MOST_BYTES_OF_ANSWER = 256 * 1024;

/**
 * Ends a connection whose response is too long. The HTTP client counts neither interim answers nor the extensions of chunks, so a
 * receiver could keep a processor busy with them until the timeout.
 */
function boundAnswers(socket: Socket): void {
  let sent = 0;
  let read = 0;
  let before = 0;
  socket.on('readable', () => {
    // Another request has been sent since.
    if (socket.bytesWritten !== sent) before = read;
    sent = socket.bytesWritten;
    read = socket.bytesRead;
    if (read - before > MOST_BYTES_OF_ANSWER) socket.destroy(new Error('The response is too long'));
  });
}

/** One forbidden address makes the entire name forbidden, because public names have no private addresses. */
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
 * Resolves names over sockets. The system's resolver would block one of four threads while a merchant's name server
 * is silent. Four such merchants would stop all lookups of the process.
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
