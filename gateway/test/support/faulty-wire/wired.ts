/** Puts a faulty wire in front of each provider of a gateway, and one in front of the gateway's notification listener. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorityOf, issue } from '../../../../rail-simulators/src/kernel/certificates.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { Choices } from '../tools/seeded.ts';
import type { WireReply, WireRequest } from './exchange.ts';
import { callFaults, type Fault, NOTIFICATION_FAULTS } from './faults.ts';
import { type FaultyWire, startFaultyWire } from './wire.ts';

interface Wires {
  /** Applies faults to this percentage of all messages. */
  trouble(faultsPerHundred: number): void;
  /** Applies this fault to all messages on one wire, until `calm`. */
  always(name: string, fault: Fault): void;
  /** Ends the faults, and resolves when no late message is left. */
  calm(): Promise<void>;
  /** Puts a wire in front of the provider at this URL. `folder` contains its certificates, if it uses TLS. */
  before(name: string, url: string, folder: string): Promise<string>;
  /** Does the same for all URLs among a gateway's variables. */
  beforeAll(name: string, variables: EnvironmentVariables, folder: string): Promise<EnvironmentVariables>;
  /** The URL for notifications. */
  readonly notificationsUrl: string;
  /** Rejects if the gateway returned an undocumented error for a notification. */
  assertAnswersProper(): void;
  /** Returns the number of faults on each wire. */
  counts(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Responses to a notification that was not recorded. The provider repeats it. */
const PUT_OFF = /"error":"(?:try_again|malformed)"/;

export async function openWires(gatewayUrl: string, choices: Choices): Promise<Wires> {
  const improper: string[] = [];
  const onReply = ({ path, body: sent }: WireRequest, { status, body }: WireReply) => {
    const text = body.toString();
    if (status >= 500 && !PUT_OFF.test(text)) improper.push(`${status} ${text} to ${path} ${sent}`);
  };
  const notifications = { origin: () => gatewayUrl, faults: NOTIFICATION_FAULTS, choices, onReply };
  const wires = new Map<string, FaultyWire>([['notifications', await startFaultyWire(notifications)]]);

  async function before(name: string, url: string, folder: string): Promise<string> {
    const { origin } = new URL(url);
    const tls = origin.startsWith('https:') ? certificatesIn(folder) : undefined;
    const wire = await startFaultyWire({ origin: () => origin, faults: callFaults(name), choices, ...tls });
    wires.set(name, wire);
    return url.replace(origin, wire.url);
  }

  return {
    before,
    async beforeAll(name, variables, folder) {
      const entries = Object.entries(variables).map(async ([variable, value = '']) => {
        const isAddress = /^https?:\/\/127\.0\.0\.1:/.test(value);
        return [variable, isAddress ? await before(name, value, folder) : value] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    },
    notificationsUrl: wires.get('notifications')?.url ?? '',
    trouble(faultsPerHundred) {
      for (const wire of wires.values()) wire.faultsPerHundred = faultsPerHundred;
    },
    always(name, fault) {
      Object.assign(wires.get(name) ?? assert.fail(name), { always: fault });
    },
    async calm() {
      for (const wire of wires.values()) Object.assign(wire, { faultsPerHundred: 0, always: undefined });
      await Promise.all([...wires.values()].map((wire) => wire.untilQuiet()));
    },
    assertAnswersProper: () => assert.deepEqual(improper, []),
    counts: () =>
      new Map(
        [...wires].map(([name, { counts }]) => [name, [...counts.values()].reduce((sum, each) => sum + each, 0)]),
      ),
    close: async () => void (await Promise.all([...wires.values()].map((wire) => wire.close()))),
  };
}

/** The wire is a client of the provider and a server for the gateway, with certificates of the provider's own authority. */
function certificatesIn(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const ca = read('ca.pem');
  const [, root = ''] = /^CN=(.*)$/m.exec(new X509Certificate(ca).subject) ?? [];
  const own = issue(authorityOf(root, createPrivateKey(read('ca-key.pem')), ca), 'a wire', 'server', ['127.0.0.1']);
  return {
    tls: { cert: own.certificate, key: own.privateKey, ca },
    identity: () => ({ ca, cert: read('client-certificate.pem'), key: read('client-key.pem') }),
  };
}
