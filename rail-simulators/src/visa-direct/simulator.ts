/** The simulator of Visa Direct: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { keyId } from './message-encryption.ts';
import { startVisaDirect } from './visa-direct-server.ts';

export interface VisaDirectSettings {
  readonly port: number;
  readonly controlPort: number;
  readonly secret: string;
  readonly userId: string;
  readonly password: string;
  readonly acquiringBin: string;
  readonly certificateFolder: string;
  readonly encryption: boolean;
  readonly bookPath: string;
  readonly control: boolean;
}

function readVisaDirect(environment: Environment, projectRoot: string): Read<VisaDirectSettings> {
  const port = environment['VISA_DIRECT_PORT'] ?? '4150';
  const controlPort = environment['VISA_DIRECT_CONTROL_PORT'] ?? '4151';
  const secret = environment['VISA_DIRECT_CONTROL_SECRET'] ?? 'visa-direct-control-secret';
  const userId = environment['VISA_DIRECT_USER_ID'] ?? 'gateway';
  const password = environment['VISA_DIRECT_PASSWORD'] ?? 'visa-direct-password';
  const acquiringBin = environment['VISA_DIRECT_ACQUIRING_BIN'] ?? '408999';
  const certificates = environment['VISA_DIRECT_CERTIFICATES'] ?? './data/visa-direct';
  const encryption = environment['VISA_DIRECT_ENCRYPTION'] ?? 'on';
  const book = environment['VISA_DIRECT_BOOK'] ?? './data/visa-direct.jsonl';
  const control = environment['VISA_DIRECT_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'VISA_DIRECT_PORT must be a port (0 takes a free one)'],
    [isPort(controlPort), 'VISA_DIRECT_CONTROL_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'VISA_DIRECT_CONTROL_SECRET must not be empty'],
    [
      /^[\x21-\x39\x3b-\x7e]{1,64}$/.test(userId),
      'VISA_DIRECT_USER_ID must be 1 to 64 characters without blanks and colons',
    ],
    [password !== '', 'VISA_DIRECT_PASSWORD must not be empty'],
    [/^\d{6,11}$/.test(acquiringBin), 'VISA_DIRECT_ACQUIRING_BIN must be 6 to 11 digits'],
    [certificates !== '', 'VISA_DIRECT_CERTIFICATES must be the path of a folder'],
    [isSwitch(encryption), 'VISA_DIRECT_ENCRYPTION must be on or off'],
    [book !== '', 'VISA_DIRECT_BOOK must be the path of a file'],
    [isSwitch(control), 'VISA_DIRECT_CONTROL must be on or off'],
  ];
  const settings = {
    ...{ port: Number(port), controlPort: Number(controlPort), secret, userId, password, acquiringBin },
    certificateFolder: resolve(projectRoot, certificates),
    encryption: encryption === 'on',
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const visaDirect: SimulatorDefinition<VisaDirectSettings> = {
  read: readVisaDirect,

  async start(here, settings) {
    const { url, controlUrl, close } = await startVisaDirect({ ...here, ...settings });
    const line =
      `Visa Direct simulator ${NO_MONEY} listens on ${url}; it is controlled at ${controlUrl}; the certificates that it ` +
      `gave out are in ${settings.certificateFolder}; its book is ${settings.bookPath}`;
    const encrypted = settings.encryption ? { VISA_DIRECT_KEY_ID: keyId } : {};
    return { line, variables: { VISA_DIRECT_URL: url, ...encrypted }, close };
  },
};
