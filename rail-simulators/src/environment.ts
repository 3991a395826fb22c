/**
 * The settings of `npm run simulators`, read from an environment that the caller passes: every fault is listed in one
 * message. Only main.ts passes the process's own.
 */
import { resolve } from 'node:path';
import { StartupFault } from './startup-fault.ts';

export interface SimulatorSettings {
  readonly port: number;
  readonly secret: string;
  readonly notifyUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

export interface StpSettings {
  readonly port: number;
  readonly secret: string;
  readonly empresa: string;
  readonly clabePrefix: string;
  readonly publicKeyPath: string;
  readonly notify: { readonly abonoUrl: string; readonly stateUrl: string };
  readonly bookPath: string;
  readonly control: boolean;
}

export interface TrustlySettings {
  readonly port: number;
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  readonly clientKeyPath: string;
  /** Trustly's own key: the private one, and where the public one is shown. */
  readonly ownKeyPath: string;
  readonly publicKeyPath: string;
  readonly bookPath: string;
  readonly control: boolean;
}

export interface PixSettings {
  readonly port: number;
  readonly pagesPort: number;
  readonly secret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly chave: string;
  readonly receiver: { readonly name: string; readonly city: string };
  readonly certificateFolder: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

export interface AdyenSettings {
  readonly port: number;
  readonly secret: string;
  readonly merchantAccount: string;
  readonly apiKey: string;
  readonly hmacKey: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

export interface AllSettings {
  readonly bank: SimulatorSettings;
  readonly stp: StpSettings;
  readonly trustly: TrustlySettings;
  readonly pix: PixSettings;
  readonly adyen: AdyenSettings;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Check = readonly [holds: boolean, fault: string];

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
const isSwitch = (text: string) => text === 'on' || text === 'off';

/** Those of the stand-in bank. A relative path starts at `projectRoot`, wherever the command was given. */
export function readSettings(environment: Environment, projectRoot: string): SimulatorSettings {
  const bank = readBank(environment, projectRoot);
  refuseFaults(bank.checks);
  return bank.settings;
}

/** Those of STP's simulator, with paths likewise. */
export function readStpSettings(environment: Environment, projectRoot: string): StpSettings {
  const stp = readStp(environment, projectRoot);
  refuseFaults(stp.checks);
  return stp.settings;
}

export function readAllSettings(environment: Environment, projectRoot: string): AllSettings {
  const bank = readBank(environment, projectRoot);
  const stp = readStp(environment, projectRoot);
  const trustly = readTrustly(environment, projectRoot);
  const pix = readPix(environment, projectRoot);
  const adyen = readAdyen(environment, projectRoot);
  refuseFaults([...bank.checks, ...stp.checks, ...trustly.checks, ...pix.checks, ...adyen.checks]);
  return {
    bank: bank.settings,
    stp: stp.settings,
    trustly: trustly.settings,
    pix: pix.settings,
    adyen: adyen.settings,
  };
}

function refuseFaults(checks: readonly Check[]): void {
  const faults = checks.filter(([holds]) => !holds).map(([, fault]) => fault);
  if (faults.length > 0) throw new StartupFault(`The settings are wrong: ${faults.join('; ')}.`);
}

function readBank(environment: Environment, projectRoot: string) {
  const port = environment['STAND_IN_BANK_PORT'] ?? '4010';
  const secret = environment['STAND_IN_BANK_SECRET'] ?? 'stand-in-bank-secret';
  const notifyUrl = environment['STAND_IN_BANK_NOTIFY_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/stand-in-bank';
  const book = environment['STAND_IN_BANK_BOOK'] ?? './data/stand-in-bank.jsonl';
  const control = environment['STAND_IN_BANK_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'STAND_IN_BANK_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'STAND_IN_BANK_SECRET must not be empty'],
    [isHttpUrl(notifyUrl), 'STAND_IN_BANK_NOTIFY_URL must be an http(s) address'],
    [book !== '', 'STAND_IN_BANK_BOOK must be the path of a file'],
    [isSwitch(control), 'STAND_IN_BANK_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    notifyUrl,
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

function readStp(environment: Environment, projectRoot: string) {
  const port = environment['STP_PORT'] ?? '4020';
  const secret = environment['STP_CONTROL_SECRET'] ?? 'stp-control-secret';
  const empresa = environment['STP_EMPRESA'] ?? 'GATEWAY';
  const clabePrefix = environment['STP_CLABE_PREFIX'] ?? '6461804990';
  const publicKey = environment['STP_PUBLIC_KEY'] ?? './data/stp-public-key.pem';
  const abonoUrl = environment['STP_ABONO_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/stp';
  const stateUrl = environment['STP_STATE_URL'] ?? abonoUrl;
  const book = environment['STP_BOOK'] ?? './data/stp.jsonl';
  const control = environment['STP_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'STP_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'STP_CONTROL_SECRET must not be empty'],
    [/^[A-Za-z0-9_]{1,15}$/.test(empresa), 'STP_EMPRESA must be 1 to 15 letters, digits or underscores'],
    [/^646\d{3,13}$/.test(clabePrefix), 'STP_CLABE_PREFIX must be 6 to 16 digits that begin with 646'],
    [publicKey !== '', 'STP_PUBLIC_KEY must be the path of a PEM file'],
    [isHttpUrl(abonoUrl), 'STP_ABONO_URL must be an http(s) address'],
    [isHttpUrl(stateUrl), 'STP_STATE_URL must be an http(s) address'],
    [book !== '', 'STP_BOOK must be the path of a file'],
    [isSwitch(control), 'STP_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    empresa,
    clabePrefix,
    publicKeyPath: resolve(projectRoot, publicKey),
    notify: { abonoUrl, stateUrl },
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

function readTrustly(environment: Environment, projectRoot: string) {
  const port = environment['TRUSTLY_PORT'] ?? '4070';
  const secret = environment['TRUSTLY_CONTROL_SECRET'] ?? 'trustly-control-secret';
  const username = environment['TRUSTLY_USERNAME'] ?? 'gateway';
  const password = environment['TRUSTLY_PASSWORD'] ?? 'trustly-password';
  const clientKey = environment['TRUSTLY_CLIENT_PUBLIC_KEY'] ?? './data/trustly/public-key.pem';
  const ownKey = environment['TRUSTLY_OWN_KEY'] ?? './data/trustly/trustly-own-key.pem';
  const publicKey = environment['TRUSTLY_PUBLIC_KEY'] ?? './data/trustly/trustly-public-key.pem';
  const book = environment['TRUSTLY_BOOK'] ?? './data/trustly.jsonl';
  const control = environment['TRUSTLY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'TRUSTLY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'TRUSTLY_CONTROL_SECRET must not be empty'],
    [username !== '', 'TRUSTLY_USERNAME must not be empty'],
    [password !== '', 'TRUSTLY_PASSWORD must not be empty'],
    [clientKey !== '', 'TRUSTLY_CLIENT_PUBLIC_KEY must be the path of a PEM file'],
    [ownKey !== '', 'TRUSTLY_OWN_KEY must be the path of a PEM file'],
    [publicKey !== '', 'TRUSTLY_PUBLIC_KEY must be the path of a PEM file'],
    [book !== '', 'TRUSTLY_BOOK must be the path of a file'],
    [isSwitch(control), 'TRUSTLY_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    username,
    password,
    clientKeyPath: resolve(projectRoot, clientKey),
    ownKeyPath: resolve(projectRoot, ownKey),
    publicKeyPath: resolve(projectRoot, publicKey),
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

function readPix(environment: Environment, projectRoot: string) {
  const port = environment['PIX_PORT'] ?? '4050';
  const pagesPort = environment['PIX_PAGES_PORT'] ?? '4051';
  const secret = environment['PIX_CONTROL_SECRET'] ?? 'pix-control-secret';
  const clientId = environment['PIX_CLIENT_ID'] ?? 'gateway';
  const clientSecret = environment['PIX_CLIENT_SECRET'] ?? 'pix-client-secret';
  const chave = environment['PIX_CHAVE'] ?? 'gateway@example.com';
  const name = environment['PIX_RECEIVER'] ?? 'Gateway';
  const city = environment['PIX_CITY'] ?? 'Sao Paulo';
  const certificates = environment['PIX_CERTIFICATES'] ?? './data/pix';
  const webhookUrl = environment['PIX_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications';
  const book = environment['PIX_BOOK'] ?? './data/pix.jsonl';
  const control = environment['PIX_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'PIX_PORT must be a port (0 takes a free one)'],
    [isPort(pagesPort), 'PIX_PAGES_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'PIX_CONTROL_SECRET must not be empty'],
    [
      /^[\x21-\x39\x3b-\x7e]{1,64}$/.test(clientId),
      'PIX_CLIENT_ID must be 1 to 64 characters without blanks and colons',
    ],
    [clientSecret !== '', 'PIX_CLIENT_SECRET must not be empty'],
    [/^\S{1,77}$/.test(chave), 'PIX_CHAVE must be a Pix key of at most 77 characters'],
    [/^[\x20-\x7e]{1,25}$/.test(name), 'PIX_RECEIVER must be 1 to 25 ASCII characters'],
    [/^[\x20-\x7e]{1,15}$/.test(city), 'PIX_CITY must be 1 to 15 ASCII characters'],
    [certificates !== '', 'PIX_CERTIFICATES must be the path of a folder'],
    [isHttpUrl(webhookUrl), 'PIX_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'PIX_BOOK must be the path of a file'],
    [isSwitch(control), 'PIX_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    pagesPort: Number(pagesPort),
    secret,
    clientId,
    clientSecret,
    chave,
    receiver: { name, city },
    certificateFolder: resolve(projectRoot, certificates),
    webhookUrl,
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

function readAdyen(environment: Environment, projectRoot: string) {
  const port = environment['ADYEN_PORT'] ?? '4030';
  const secret = environment['ADYEN_CONTROL_SECRET'] ?? 'adyen-control-secret';
  const merchantAccount = environment['ADYEN_MERCHANT_ACCOUNT'] ?? 'GatewayECOM';
  const apiKey = environment['ADYEN_API_KEY'] ?? 'adyen-api-key';
  const hmacKey = environment['ADYEN_HMAC_KEY'] ?? '0123456789ABCDEF'.repeat(4);
  const webhookUrl = environment['ADYEN_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/adyen';
  const book = environment['ADYEN_BOOK'] ?? './data/adyen.jsonl';
  const control = environment['ADYEN_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'ADYEN_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'ADYEN_CONTROL_SECRET must not be empty'],
    [/^[A-Za-z0-9_-]{1,80}$/.test(merchantAccount), 'ADYEN_MERCHANT_ACCOUNT must be 1 to 80 letters, digits, _ or -'],
    [apiKey !== '', 'ADYEN_API_KEY must not be empty'],
    [/^[0-9A-Fa-f]{64}$/.test(hmacKey), 'ADYEN_HMAC_KEY must be 64 hexadecimal digits'],
    [isHttpUrl(webhookUrl), 'ADYEN_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'ADYEN_BOOK must be the path of a file'],
    [isSwitch(control), 'ADYEN_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    merchantAccount,
    apiKey,
    hmacKey,
    webhookUrl,
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}
