/**
 * Every simulator, and how it is started, as one table: for the process of them all, and for whoever starts some. It
 * reads no environment and prints nothing.
 */
import { startAdyen } from './adyen/adyen-server.ts';
import { startAdyenTransfers } from './adyen-transfers/adyen-transfers-server.ts';
import type { Clock } from './clock.ts';
import { startDtOne } from './dt-one/dt-one-server.ts';
import type { AllSettings } from './environment.ts';
import { startEpoint } from './epoint/epoint-server.ts';
import { startFreedomPay } from './freedom-pay/freedom-pay-server.ts';
import { startMastercardSend } from './mastercard-send/mastercard-send-server.ts';
import { publicKeyFile as mastercardSendClientKey } from './mastercard-send/public-key-file.ts';
import { startPix } from './pix/pix-server.ts';
import { startRazorpayX } from './razorpayx/razorpayx-server.ts';
import { publicKeyFile } from './stp/public-key-file.ts';
import { startStp } from './stp/stp-server.ts';
import { publicText, publicKeyFile as tokenIoClientKey, webhookKey } from './token-io/key-files.ts';
import { startTokenIo } from './token-io/token-io-server.ts';
import { ownPrivateKey, publicKeyFile as trustlyClientKey } from './trustly/key-files.ts';
import { startTrustly } from './trustly/trustly-server.ts';
import { keyId } from './visa-direct/message-encryption.ts';
import { startVisaDirect } from './visa-direct/visa-direct-server.ts';
import { startVoPay } from './vopay/vopay-server.ts';
import { startWayForPay } from './wayforpay/wayforpay-server.ts';

export type SimulatorName = keyof AllSettings;

export interface Surroundings {
  readonly host: string;
  readonly clock: Clock;
  /** Takes one line per trouble. */
  readonly log: (line: string) => void;
}

export interface Running {
  /** One line that says what it is and where. */
  readonly line: string;
  /** What a gateway on this machine is told, so that it goes to this simulator. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const NO_MONEY = '(for development, no money moves)';

const STARTS: {
  readonly [Name in SimulatorName]: (here: Surroundings, settings: AllSettings[Name]) => Promise<Running>;
} = {
  async stp(here, settings) {
    const findPublicKey = publicKeyFile(settings.publicKeyPath);
    const { url, close } = await startStp({ ...here, ...settings, findPublicKey });
    const line =
      `STP simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.empresa} of transfers at ${settings.notify.abonoUrl}; ` +
      `the key it knows is ${settings.publicKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: { STP_URL: url }, close };
  },

  async trustly(here, settings) {
    const { clientKeyPath, ownKeyPath, publicKeyPath, bookPath } = settings;
    const privateKey = ownPrivateKey(ownKeyPath, publicKeyPath);
    const findPublicKey = trustlyClientKey(clientKeyPath);
    const { url, close } = await startTrustly({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Trustly simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${clientKeyPath}, its own is shown at ${publicKeyPath}; its book is ${bookPath}`;
    return { line, variables: { TRUSTLY_URL: `${url}/api/1` }, close };
  },

  async pix(here, settings) {
    const { url, pagesUrl, close } = await startPix({ ...here, ...settings });
    const line =
      `Pix simulator ${NO_MONEY} listens on ${url}; payers pay at ${pagesUrl}; ` +
      `it tells of payments at ${settings.webhookUrl}/pix; the certificates that it gave out are in ` +
      `${settings.certificateFolder}; its book is ${settings.bookPath}`;
    return { line, variables: { PIX_URL: `${url}/api/v2` }, close };
  },

  async adyen(here, settings) {
    const { url, close } = await startAdyen({ ...here, ...settings });
    const line =
      `Adyen simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.merchantAccount} of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { ADYEN_URL: `${url}/v72` }, close };
  },

  async adyenTransfers(here, settings) {
    const { url, close } = await startAdyenTransfers({ ...here, ...settings });
    const line =
      `Adyen Transfers simulator ${NO_MONEY} listens on ${url}; it pays out of ${settings.balanceAccount} ` +
      `and tells of it at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    const variables = { ADYEN_TRANSFERS_URL: `${url}/btl/v4`, ADYEN_TRANSFERS_BALANCES_URL: `${url}/bcl/v2` };
    return { line, variables, close };
  },

  async tokenIo(here, settings) {
    const { clientKeyPath, webhookKeySeed, webhookUrl, bookPath } = settings;
    const privateKey = webhookKey(webhookKeySeed);
    const findPublicKey = tokenIoClientKey(clientKeyPath);
    const { url, close } = await startTokenIo({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Token.io simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${clientKeyPath}, its own is ${publicText(privateKey)}; ` +
      `it tells of payments at ${webhookUrl}; its book is ${bookPath}`;
    return { line, variables: { TOKEN_IO_URL: url }, close };
  },

  async vopay(here, settings) {
    const { url, close } = await startVoPay({ ...here, ...settings });
    const line =
      `VoPay simulator ${NO_MONEY} listens on ${url}; payers read their messages at ${url}/inbox; ` +
      `it tells of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { VOPAY_URL: `${url}/api/v2` }, close };
  },

  async wayforpay(here, settings) {
    const { url, close } = await startWayForPay({ ...here, ...settings });
    const line =
      `WayForPay simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.merchantAccount} of each payout where that says; its book is ${settings.bookPath}`;
    return { line, variables: { WAYFORPAY_URL: url }, close };
  },

  async epoint(here, settings) {
    const { url, close } = await startEpoint({ ...here, ...settings });
    const line =
      `Epoint simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.publicKey} at ${settings.resultUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { EPOINT_URL: `${url}/api/1` }, close };
  },

  async razorpayx(here, settings) {
    const { url, close } = await startRazorpayX({ ...here, ...settings });
    const line =
      `RazorpayX simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of payouts at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { RAZORPAYX_URL: `${url}/v1` }, close };
  },

  async dtOne(here, settings) {
    const { url, close } = await startDtOne({ ...here, ...settings });
    const line =
      `DT One simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of transactions where each of them says; its book is ${settings.bookPath}`;
    return { line, variables: { DT_ONE_URL: `${url}/v1` }, close };
  },

  async freedomPay(here, settings) {
    const { url, close } = await startFreedomPay({ ...here, ...settings });
    const line =
      `Freedom Pay simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of payouts where they say; its book is ${settings.bookPath}`;
    return { line, variables: { FREEDOM_PAY_URL: url }, close };
  },

  async visaDirect(here, settings) {
    const { url, controlUrl, close } = await startVisaDirect({ ...here, ...settings });
    const line =
      `Visa Direct simulator ${NO_MONEY} listens on ${url}; it is controlled at ${controlUrl}; the certificates that it ` +
      `gave out are in ${settings.certificateFolder}; its book is ${settings.bookPath}`;
    const encrypted = settings.encryption ? { VISA_DIRECT_KEY_ID: keyId } : {};
    return { line, variables: { VISA_DIRECT_URL: url, ...encrypted }, close };
  },

  async mastercardSend(here, settings) {
    const findPublicKey = mastercardSendClientKey(settings.clientKeyPath);
    const { url, close } = await startMastercardSend({ ...here, ...settings, findPublicKey });
    const line =
      `Mastercard Send simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${settings.clientKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: { MASTERCARD_SEND_URL: `${url}/send` }, close };
  },
};

export const SIMULATORS = Object.keys(STARTS) as readonly SimulatorName[];

/** Throws a StartupFault where a port, a book or a key can't be had. */
export function startSimulator<Name extends SimulatorName>(
  name: Name,
  here: Surroundings,
  settings: AllSettings[Name],
): Promise<Running> {
  return STARTS[name](here, settings);
}
