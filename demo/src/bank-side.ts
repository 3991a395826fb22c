/**
 * The bank of the demo: a stand-in bank that listens already, or else one that is started as a process of its own, with
 * its book in the data directory. It must be told apart from a stranger on the same port by how it answers.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BankMessage } from './bank-process.ts';
import { DemoFailure } from './demo-failure.ts';

export interface BankOptions {
  readonly url: string;
  readonly secret: string;
  /** Where the gateway takes the bank's notifications. */
  readonly notifyUrl: string;
  readonly dataDir: string;
  readonly onTrouble: (line: string) => void;
}

export interface BankSide {
  /** False: it was there before, and stays. */
  readonly isOurs: boolean;
  /** The bank's own word for a payout that it was sent under `reference`. */
  statusOf(reference: string): Promise<string>;
  close(): Promise<void>;
}

export type Occupant = 'stand-in-bank' | 'bank-with-another-secret' | 'stranger' | 'nobody';

const PATIENCE_MS = 2_000;

export async function openBankSide(options: BankOptions): Promise<BankSide> {
  const statusOf = async (reference: string) => {
    const answer = await ask(options, reference);
    const { status } = (await answer.json()) as { status?: string };
    return status ?? `unknown (HTTP ${answer.status})`;
  };
  const elsewhere = `No stand-in bank answers on ${options.url}: start it, or unset STAND_IN_BANK_URL`;
  const started = isOnThisMachine(options.url) ? await startBank(options) : elsewhere;
  if (typeof started !== 'string') return { isOurs: true, statusOf, close: () => endBank(started) };
  const occupant = await occupantOf(options);
  if (occupant === 'stand-in-bank') return { isOurs: false, statusOf, close: async () => {} };
  throw new DemoFailure(OCCUPANTS[occupant](options.url, started));
}

const OCCUPANTS: Readonly<Record<Exclude<Occupant, 'stand-in-bank'>, (url: string, fault: string) => string>> = {
  'bank-with-another-secret': (url) =>
    `The stand-in bank on ${url} has another secret: stop it, or give its own as STAND_IN_BANK_SECRET`,
  stranger: (url) =>
    `What answers on ${url} is no stand-in bank: stop it, or choose another port, as in STAND_IN_BANK_PORT=4011 npm start`,
  nobody: (_url, fault) => fault,
};

export function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname);
}

export async function occupantOf(bank: Pick<BankOptions, 'url' | 'secret'>): Promise<Occupant> {
  try {
    const answer = await ask(bank, 'nothing');
    await answer.body?.cancel();
    if (!answer.headers.get('server')?.startsWith('stand-in-bank')) return 'stranger';
    return answer.status === 401 ? 'bank-with-another-secret' : 'stand-in-bank';
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return cause?.code === 'ECONNREFUSED' ? 'nobody' : 'stranger';
  }
}

function ask({ url, secret }: Pick<BankOptions, 'url' | 'secret'>, reference: string): Promise<Response> {
  return fetch(`${url}/stand-in/v1/payouts/${encodeURIComponent(reference)}`, {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

/** The running process, or the sentence that says why there is none. */
async function startBank(options: BankOptions): Promise<ChildProcess | string> {
  const { url, secret, notifyUrl, dataDir, onTrouble } = options;
  const env = {
    STAND_IN_BANK_BOOK: join(dataDir, 'stand-in-bank.jsonl'),
    ...process.env,
    STAND_IN_BANK_PORT: new URL(url).port || '80',
    STAND_IN_BANK_SECRET: secret,
    STAND_IN_BANK_NOTIFY_URL: notifyUrl,
  };
  const child = fork(join(import.meta.dirname, 'bank-process.ts'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const outcome = await Promise.race([
    firstWord(child),
    once(child, 'exit').then(() => 'The stand-in bank ended as it began'),
  ]);
  if (outcome !== 'ready') return outcome;
  child.on('message', (message: BankMessage) => 'trouble' in message && onTrouble(message.trouble));
  child.on('exit', () => onTrouble('the stand-in bank has ended: payouts wait until it is back'));
  return child;
}

async function firstWord(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message')) as [BankMessage];
  if ('fault' in message) return message.fault;
  return 'trouble' in message ? message.trouble : 'ready';
}

async function endBank(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  if ((await Promise.race([ended, sleep(PATIENCE_MS, 'slow', { ref: false })])) === 'slow') child.kill('SIGKILL');
}
