/**
 * `npm run simulators`: the banks' side alone, as a process of its own, on the loopback only. The one file of this
 * package that reads the process's environment, prints and handles signals.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { startAdyen } from './adyen/adyen-server.ts';
import { systemClock } from './clock.ts';
import { type AllSettings, readAllSettings } from './environment.ts';
import { startPix } from './pix/pix-server.ts';
import { startStandInBank } from './stand-in-bank/stand-in-bank.ts';
import { StartupFault } from './startup-fault.ts';
import { publicKeyFile } from './stp/public-key-file.ts';
import { startStp } from './stp/stp-server.ts';
import { publicText, publicKeyFile as tokenIoClientKey, webhookKey } from './token-io/key-files.ts';
import { startTokenIo } from './token-io/token-io-server.ts';
import { ownPrivateKey, publicKeyFile as trustlyClientKey } from './trustly/key-files.ts';
import { startTrustly } from './trustly/trustly-server.ts';
import { startVoPay } from './vopay/vopay-server.ts';

const projectRoot = resolve(import.meta.dirname, '../..');
const here = { host: '127.0.0.1', clock: systemClock, log: (line: string) => console.error(line) };

interface Running {
  /** One line that says what it is and where. */
  readonly line: string;
  close(): Promise<void>;
}

async function startBank({ bank: settings }: AllSettings): Promise<Running> {
  const { url, close } = await startStandInBank({ ...here, ...settings });
  const line =
    `stand-in bank (for development, no money moves) listens on ${url}; ` +
    `it notifies the gateway at ${settings.notifyUrl}; its book is ${settings.bookPath}`;
  return { line, close };
}

async function startStpSimulator({ stp: settings }: AllSettings): Promise<Running> {
  const findPublicKey = publicKeyFile(settings.publicKeyPath);
  const { url, close } = await startStp({ ...here, ...settings, findPublicKey });
  const line =
    `STP simulator (for development, no money moves) listens on ${url}; ` +
    `it tells ${settings.empresa} of transfers at ${settings.notify.abonoUrl}; ` +
    `the key it knows is ${settings.publicKeyPath}; its book is ${settings.bookPath}`;
  return { line, close };
}

async function startTrustlySimulator({ trustly: settings }: AllSettings): Promise<Running> {
  const { clientKeyPath, ownKeyPath, publicKeyPath, bookPath } = settings;
  const privateKey = ownPrivateKey(ownKeyPath, publicKeyPath);
  const findPublicKey = trustlyClientKey(clientKeyPath);
  const { url, close } = await startTrustly({ ...here, ...settings, privateKey, findPublicKey });
  const line =
    `Trustly simulator (for development, no money moves) listens on ${url}; ` +
    `the key it knows is ${clientKeyPath}, its own is shown at ${publicKeyPath}; its book is ${bookPath}`;
  return { line, close };
}

async function startPixSimulator({ pix: settings }: AllSettings): Promise<Running> {
  const { url, pagesUrl, close } = await startPix({ ...here, ...settings });
  const line =
    `Pix simulator (for development, no money moves) listens on ${url}; payers pay at ${pagesUrl}; ` +
    `it tells of payments at ${settings.webhookUrl}/pix; the certificates that it gave out are in ` +
    `${settings.certificateFolder}; its book is ${settings.bookPath}`;
  return { line, close };
}

async function startAdyenSimulator({ adyen: settings }: AllSettings): Promise<Running> {
  const { url, close } = await startAdyen({ ...here, ...settings });
  const line =
    `Adyen simulator (for development, no money moves) listens on ${url}; ` +
    `it tells ${settings.merchantAccount} of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
  return { line, close };
}

async function startTokenIoSimulator({ tokenIo: settings }: AllSettings): Promise<Running> {
  const { clientKeyPath, webhookKeySeed, webhookUrl, bookPath } = settings;
  const privateKey = webhookKey(webhookKeySeed);
  const findPublicKey = tokenIoClientKey(clientKeyPath);
  const { url, close } = await startTokenIo({ ...here, ...settings, privateKey, findPublicKey });
  const line =
    `Token.io simulator (for development, no money moves) listens on ${url}; ` +
    `the key it knows is ${clientKeyPath}, its own is ${publicText(privateKey)}; ` +
    `it tells of payments at ${webhookUrl}; its book is ${bookPath}`;
  return { line, close };
}

async function startVoPaySimulator({ vopay: settings }: AllSettings): Promise<Running> {
  const { url, close } = await startVoPay({ ...here, ...settings });
  const line =
    `VoPay simulator (for development, no money moves) listens on ${url}; payers read their messages at ${url}/inbox; ` +
    `it tells of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
  return { line, close };
}

const running: Running[] = [];
const closeAll = () => Promise.all(running.map((simulator) => simulator.close()));

try {
  const settings = readAllSettings(process.env, projectRoot);
  running.push(await startBank(settings));
  running.push(await startStpSimulator(settings));
  running.push(await startTrustlySimulator(settings));
  running.push(await startPixSimulator(settings));
  running.push(await startAdyenSimulator(settings));
  running.push(await startTokenIoSimulator(settings));
  running.push(await startVoPaySimulator(settings));
  for (const { line } of running) console.log(line);
  const stop = () => void closeAll();
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  if (!(error instanceof StartupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
  await closeAll();
}
