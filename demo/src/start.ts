/**
 * `npm start` runs a complete gateway with its banks, and a merchant with an inbox and a shop. It shows payouts and a deposit
 * from request to callback, then keeps running. For development only. This file is the process: signals, exit code, order of
 * start and shutdown.
 */
import { relative, resolve } from 'node:path';
import { OPERATOR_MERCHANT } from '../../gateway/src/domain/merchants/merchant.ts';
import { type Gateway, openGateway } from '../../gateway/src/main/compose/compose.ts';
import { explainFailure } from '../../gateway/src/main/explain-failure.ts';
import { untilSignalled } from '../../gateway/src/main/processes/process-signals.ts';
import { openBanks } from './banks.ts';
import { DemoFailure } from './demo-failure.ts';
import { type DemoMerchant, fundDemoMerchant, openDemoMerchant } from './demo-merchant.ts';
import { buildPages, type DemoPerson, inviteDemoPeople } from './demo-pages.ts';
import { checkPorts, type DemoSettings, readDemoSettings } from './demo-settings.ts';
import { drawDepositLife, drawPayoutLife } from './draw-life.ts';
import { leaveProposal } from './history/leave-proposal.ts';
import { makeHistory } from './history/make-history.ts';
import { openInbox } from './inbox.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { CARD_EUR, type Sender, sandboxExample } from './payout-examples.ts';
import type { ChargedPayment } from './providers/provider.ts';
import { screen } from './screen.ts';
import type { ShopSender } from './shop/form-link.ts';
import { createShop } from './shop/shop.ts';
import { showAround } from './show-around.ts';
import { shelvesOf } from './show-shop.ts';
import { walkDeposit } from './walk-deposit.ts';
import { type WalkParts, walkPayout } from './walk-payout.ts';
import { watchGateway } from './watch-gateway.ts';

type Closing = (() => Promise<unknown>)[];

const PARENT_LOOK_MS = 250;

/**
 * Returns a signal that aborts on SIGINT and SIGTERM, and when the terminal or the parent process is gone. A second Ctrl-C
 * ends the demo immediately.
 */
function untilStopSignal(): AbortSignal {
  const stopping = new AbortController();
  void untilSignalled(['SIGINT', 'SIGTERM']).then(() => stopping.abort());
  process.stdout.on('error', () => stopping.abort());
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stopping.abort(), PARENT_LOOK_MS).unref();
  return stopping.signal;
}

/** Starts everything in the required order. Each started part adds its shutdown to `closing`. */
async function begin(settings: DemoSettings, closing: Closing, signal: AbortSignal) {
  const { config, inboxPort } = settings;
  const startedAt = Date.now();
  const known: { merchant?: DemoMerchant; sender?: Sender & ShopSender } = {};
  const watch = watchGateway(() => known.merchant?.merchantId);
  const log = await openLogFile(config.dataDir);
  closing.push(() => log.close());

  const url = reachableUrl(config);
  const opening = openBanks(settings, url);
  // The banks start in parallel with the database. A failure is reported where they are awaited below.
  const openedOrNot = opening.then(
    (banks) => banks,
    () => undefined,
  );
  closing.push(async () => (await openedOrNot)?.close());
  // The pages build in parallel too, which takes a few seconds if their sources have changed.
  const building = buildPages();
  building.catch(() => {});
  const shop = createShop({
    shelves: shelvesOf(settings.providers),
    sender: () => known.sender,
    callbackOf: (order) => inbox.find(order),
    startedAt,
  });
  const key = () => known.merchant?.key;
  const inbox = await openInbox({ port: inboxPort, key, onDelivery: watch.onDelivery, shop });
  closing.push(() => inbox.close());
  const gateway = await openGateway(config, {
    logTo: log,
    onProgress: screen.progress,
    watch: watch.hooks,
    // No client of the demo loses a request in flight.
    pace: { goodbyeMs: 0 },
    // The simulators lose their books when they end.
    booksSince: startedAt,
  });
  closing.push(() => gateway.close());
  signal.throwIfAborted();
  screen.done('Database', databaseShown(settings, gateway.core.databaseFolder, Date.now() - startedAt));
  screen.done('Inbox', `${inbox.url} receives the merchant’s callbacks, and has a shop`);

  const { operations } = gateway;
  const charged = await showHistory(settings, gateway, log, inbox.url);
  const merchant = await openDemoMerchant(operations, config.dataDir, inbox.url);
  known.merchant = merchant;
  screen.done('Merchant', merchantShown(merchant, await fundDemoMerchant(operations, merchant.merchantId, startedAt)));

  // The banks must start first: the gateway queries STP for missed notifications when it starts, and hourly afterwards.
  const banks = await opening;
  banks.show();
  signal.throwIfAborted();
  const arePagesBuilt = await building;
  // Invite users before the gateway serves, because the gateway would invite another first administrator.
  const people = arePagesBuilt ? await inviteDemoPeople(operations, merchant.merchantId) : [];
  const serving = await gateway.serve('all');
  closing.push(() => serving.stop());
  await banks.prepare();
  await banks.remember(charged ?? []);
  if (charged && serving.manageUrl) await leaveProposal(operations, serving.manageUrl, merchant.merchantId);
  screen.done('Gateway', `${url} serves merchants and payers`);
  showPages(config.manageOrigin, people);
  known.sender = { url, merchantId: merchant.merchantId, key: merchant.key, formKey: merchant.formKey };
  return {
    operations,
    databaseDeleted: gateway.core.databaseDeleted,
    watch,
    inbox,
    provider: banks.adyen,
    stp: banks.stp,
    sender: known.sender,
    metricsUrl: serving.opsUrl ?? '',
  };
}

/**
 * Creates a history in a database without merchants, so that the pages show data. Resolves to its paid card payments, or to
 * null without a history.
 */
async function showHistory(
  { config, hasHistory }: DemoSettings,
  gateway: Gateway,
  log: LogFile,
  inboxUrl: string,
): Promise<readonly ChargedPayment[] | null> {
  const merchants = await gateway.operations.merchants.list();
  if (!hasHistory || merchants.some(({ merchantId }) => merchantId !== OPERATOR_MERCHANT)) return null;
  const until = Date.now();
  const openMerchant = (operations: Gateway['operations']) => openDemoMerchant(operations, config.dataDir, inboxUrl);
  const { payments, charged } = await makeHistory({ config, logTo: log, openMerchant, until });
  const seconds = ((Date.now() - until) / 1_000).toFixed(1);
  screen.done('History', `${payments} payments of the last two weeks, invented by the demo (${seconds} s)`);
  return charged;
}

/** A link creates its user and their passkey, once. Later they sign in with the passkey. */
function showPages(origin: string, people: readonly DemoPerson[]): void {
  if (people.length === 0) screen.done('Portal', 'not built: the packages for development are not installed');
  for (const { who, link } of people)
    screen.done('Portal', `${who}: ${link ?? `${origin}/sign-in, with the passkey of an earlier start`}`);
}

/** Returns a URL of the gateway that works on this machine, even if the gateway listens on all interfaces. */
function reachableUrl({ host, port }: DemoSettings['config']): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

type Parts = Awaited<ReturnType<typeof begin>>;

/** Shows two payouts and a deposit, and then the reader's options. */
async function present(settings: DemoSettings, parts: Parts, signal: AbortSignal) {
  const { watch, sender, metricsUrl, inbox } = parts;
  const startedAt = Date.now();
  const run = startedAt.toString(36);
  const [first, second, third] = [`demo-${run}-1`, `demo-${run}-2`, `demo-${run}-3`];
  watch.ownIds.add(first).add(second);
  const walkParts: WalkParts = { ...parts, othersMoved: watch.othersMoved, signal };
  const sandbox = sandboxExample(settings.sandboxCard);
  screen.heading('A payout to the sandbox, which completes immediately');
  await walkPayout(walkParts, sandbox, first);
  screen.heading('A payout to a card in euros, through Adyen');
  showLife(drawPayoutLife(await parts.provider.inHurry(() => walkPayout(walkParts, CARD_EUR, second))));
  screen.heading('A deposit from Mexico: the payer sends a bank transfer (SPEI)');
  const onClabe = (clabe: string) => watch.ownIds.add(clabe);
  showLife(drawDepositLife(await walkDeposit({ ...parts, ...walkParts, onClabe }, third)));
  const places = { metricsUrl, inboxUrl: inbox.url, logFile: `${settings.dataDirShown}/gateway.log` };
  showAround({ sender, sandbox, ...settings, payoutId: second, ...places, startedAt });
  watch.goLive();
}

/** Resolves when the demo must stop. Rejects if its database was deleted. */
async function untilOver({ databaseDeleted }: Parts, signal: AbortSignal): Promise<void> {
  const stopSignal = new Promise((resolve) =>
    signal.aborted ? resolve(0) : signal.addEventListener('abort', resolve, { once: true }),
  );
  const deleted = databaseDeleted.then((error) => {
    throw error;
  });
  await Promise.race([stopSignal, deleted]);
}

function showLife(lines: readonly string[]): void {
  screen.line();
  for (const line of lines) screen.line(`  ${line}`);
}

/** Describes where the database is. For root, it is outside the data directory. */
function databaseShown({ config, dataDirShown }: DemoSettings, folder: string | null, elapsedMs: number): string {
  const isInside = folder !== null && !relative(resolve(config.dataDir), folder).startsWith('..');
  const place = isInside ? dataDirShown : folder;
  const which = place === null ? 'the PostgreSQL of DATABASE_URL' : `embedded PostgreSQL, data in ${place}`;
  return `${which} (${(elapsedMs / 1_000).toFixed(1)} s)`;
}

function merchantShown({ merchantId, isNew }: DemoMerchant, funded: string[]): string {
  const money = funded.length > 0 ? `, given 10000.00 each of ${funded.join(', ')}` : ', with enough money';
  return `${merchantId}, ${isNew ? 'new' : 'from an earlier start'}${money}`;
}

async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.splice(0).reverse()) {
    await close().catch((error: unknown) => screen.failed(sentenceFor(error)));
  }
}

function sentenceFor(error: unknown): string {
  const known = error instanceof DemoFailure ? error.message : explainFailure(error);
  if (known) return known;
  // This is a bug, so the developer needs the stack trace.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<number> {
  const signal = untilStopSignal();
  const closing: Closing = [];
  screen.title('Payment gateway: the demo', 'for development, no money moves');
  try {
    const settings = await readDemoSettings(process.env);
    await checkPorts(settings);
    const parts = await begin(settings, closing, signal);
    await present(settings, parts, signal);
    await untilOver(parts, signal);
  } catch (error) {
    if (!signal.aborted) {
      screen.failed(sentenceFor(error));
      await closeAll(closing);
      return 1;
    }
  }
  await closeAll(closing);
  screen.line('Stopped: the gateway drained; banks and database shut down.');
  return 0;
}

process.exitCode = await main();
