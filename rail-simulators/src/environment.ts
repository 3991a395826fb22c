/**
 * The settings of `npm run simulators`, read from an environment that the caller passes: every fault is listed in one
 * message. Only main.ts passes the process's own.
 */
import { resolve } from 'node:path';
import { type AdyenTransfersSettings, readAdyenTransfers } from './adyen-transfers/settings.ts';
import { type DtOneSettings, readDtOne } from './dt-one/settings.ts';
import { type EpointSettings, readEpoint } from './epoint/settings.ts';
import { type FreedomPaySettings, readFreedomPaySettings } from './freedom-pay/settings.ts';
import { type MastercardSendSettings, readMastercardSend } from './mastercard-send/settings.ts';
import { type RazorpayXSettings, readRazorpayX } from './razorpayx/settings.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch, type Read } from './setting-checks.ts';
import { StartupFault } from './startup-fault.ts';
import { readVisaDirect, type VisaDirectSettings } from './visa-direct/settings.ts';
import { readWayForPay, type WayForPaySettings } from './wayforpay/settings.ts';

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

export interface TokenIoSettings {
  readonly port: number;
  readonly secret: string;
  readonly memberId: string;
  readonly keyId: string;
  readonly clientKeyPath: string;
  /** Of the key that signs webhooks: 64 hexadecimal digits. */
  readonly webhookKeySeed: string;
  readonly webhookUrl: string;
  readonly account: { readonly id: string; readonly iban: string; readonly name: string };
  readonly bookPath: string;
  readonly control: boolean;
}

export interface VoPaySettings {
  readonly port: number;
  readonly secret: string;
  readonly accountId: string;
  readonly key: string;
  readonly sharedSecret: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

export interface AllSettings {
  readonly stp: StpSettings;
  readonly trustly: TrustlySettings;
  readonly pix: PixSettings;
  readonly adyen: AdyenSettings;
  readonly adyenTransfers: AdyenTransfersSettings;
  readonly tokenIo: TokenIoSettings;
  readonly vopay: VoPaySettings;
  readonly wayforpay: WayForPaySettings;
  readonly epoint: EpointSettings;
  readonly razorpayx: RazorpayXSettings;
  readonly dtOne: DtOneSettings;
  readonly freedomPay: FreedomPaySettings;
  readonly visaDirect: VisaDirectSettings;
  readonly mastercardSend: MastercardSendSettings;
}

const READERS: {
  readonly [Name in keyof AllSettings]: (environment: Environment, projectRoot: string) => Read<AllSettings[Name]>;
} = {
  stp: readStp,
  trustly: readTrustly,
  pix: readPix,
  adyen: readAdyen,
  adyenTransfers: readAdyenTransfers,
  tokenIo: readTokenIo,
  vopay: readVoPay,
  wayforpay: readWayForPay,
  epoint: readEpoint,
  razorpayx: readRazorpayX,
  dtOne: readDtOne,
  freedomPay: readFreedomPaySettings,
  visaDirect: readVisaDirect,
  mastercardSend: readMastercardSend,
};

/** Those of one simulator. A relative path starts at `projectRoot`, wherever the command was given. */
export function readSettingsOf<Name extends keyof AllSettings>(
  name: Name,
  environment: Environment,
  projectRoot: string,
): AllSettings[Name] {
  const { settings, checks } = READERS[name](environment, projectRoot);
  refuseFaults(checks);
  return settings;
}

export function readAllSettings(environment: Environment, projectRoot: string): AllSettings {
  const names = Object.keys(READERS) as (keyof AllSettings)[];
  const read = names.map((name) => [name, READERS[name](environment, projectRoot)] as const);
  refuseFaults(read.flatMap(([, { checks }]) => checks));
  return Object.fromEntries(read.map(([name, { settings }]) => [name, settings])) as unknown as AllSettings;
}

function refuseFaults(checks: readonly Check[]): void {
  const faults = checks.filter(([holds]) => !holds).map(([, fault]) => fault);
  if (faults.length > 0) throw new StartupFault(`The settings are wrong: ${faults.join('; ')}.`);
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

function readTokenIo(environment: Environment, projectRoot: string) {
  const port = environment['TOKEN_IO_PORT'] ?? '4040';
  const secret = environment['TOKEN_IO_CONTROL_SECRET'] ?? 'token-io-control-secret';
  const memberId = environment['TOKEN_IO_MEMBER_ID'] ?? 'm:gateway:5zKtXEAq';
  const keyId = environment['TOKEN_IO_KEY_ID'] ?? 'gateway-key';
  const clientKey = environment['TOKEN_IO_CLIENT_PUBLIC_KEY'] ?? './data/token-io/public-key.pem';
  // Known to everybody, like every default of a simulator.
  const webhookKeySeed = environment['TOKEN_IO_WEBHOOK_KEY_SEED'] ?? '74'.repeat(32);
  const webhookUrl = environment['TOKEN_IO_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/token-io';
  const account = environment['TOKEN_IO_SETTLEMENT_ACCOUNT'] ?? 'pa:gateway:2gFUX1NEGTG';
  const iban = environment['TOKEN_IO_CREDITOR_IBAN'] ?? 'NL91ABNA0417164300';
  const name = environment['TOKEN_IO_CREDITOR_NAME'] ?? 'Payment Gateway';
  const book = environment['TOKEN_IO_BOOK'] ?? './data/token-io.jsonl';
  const control = environment['TOKEN_IO_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'TOKEN_IO_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'TOKEN_IO_CONTROL_SECRET must not be empty'],
    [/^m:[A-Za-z0-9:]{1,100}$/.test(memberId), 'TOKEN_IO_MEMBER_ID must be letters, digits and colons after m:'],
    [keyId !== '', 'TOKEN_IO_KEY_ID must not be empty'],
    [clientKey !== '', 'TOKEN_IO_CLIENT_PUBLIC_KEY must be the path of a PEM file'],
    [/^[0-9A-Fa-f]{64}$/.test(webhookKeySeed), 'TOKEN_IO_WEBHOOK_KEY_SEED must be 64 hexadecimal digits'],
    [isHttpUrl(webhookUrl), 'TOKEN_IO_WEBHOOK_URL must be an http(s) address'],
    [/^pa:[A-Za-z0-9:]{1,100}$/.test(account), 'TOKEN_IO_SETTLEMENT_ACCOUNT must be letters, digits, colons after pa:'],
    [/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban), 'TOKEN_IO_CREDITOR_IBAN must be an IBAN without blanks'],
    [name !== '', 'TOKEN_IO_CREDITOR_NAME must not be empty'],
    [book !== '', 'TOKEN_IO_BOOK must be the path of a file'],
    [isSwitch(control), 'TOKEN_IO_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    memberId,
    keyId,
    clientKeyPath: resolve(projectRoot, clientKey),
    webhookKeySeed,
    webhookUrl,
    account: { id: account, iban, name },
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

function readVoPay(environment: Environment, projectRoot: string) {
  const port = environment['VOPAY_PORT'] ?? '4060';
  const secret = environment['VOPAY_CONTROL_SECRET'] ?? 'vopay-control-secret';
  const accountId = environment['VOPAY_ACCOUNT_ID'] ?? 'gateway';
  const key = environment['VOPAY_KEY'] ?? 'vopay-key';
  const sharedSecret = environment['VOPAY_SHARED_SECRET'] ?? 'vopay-shared-secret';
  const webhookUrl = environment['VOPAY_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/vopay';
  const book = environment['VOPAY_BOOK'] ?? './data/vopay.jsonl';
  const control = environment['VOPAY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'VOPAY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'VOPAY_CONTROL_SECRET must not be empty'],
    [/^[\x21-\x7e]{1,64}$/.test(accountId), 'VOPAY_ACCOUNT_ID must be 1 to 64 characters without blanks'],
    [key !== '', 'VOPAY_KEY must not be empty'],
    [sharedSecret !== '', 'VOPAY_SHARED_SECRET must not be empty'],
    [isHttpUrl(webhookUrl), 'VOPAY_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'VOPAY_BOOK must be the path of a file'],
    [isSwitch(control), 'VOPAY_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  const account = { accountId, key, sharedSecret };
  return {
    settings: { port: Number(port), secret, ...account, webhookUrl, bookPath, control: control === 'on' },
    checks,
  };
}
