/** A browser over the pages of a complete gateway. It collects the offences that no page may commit, while it is open. */
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { buildPortal } from '../../../portal/build.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import { KNOWN_CHECKS } from '../../src/protocol/conformance/play-receiver.ts';
import { addProbes, findViolationsOf, WCAG_2_2_AA } from '../browser/axe.ts';
import { launchChromium, openContext, PATIENCE_MS } from '../browser/chromium.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestDatabase } from '../support/postgres/postgres.ts';
import { oncePerRun } from '../support/tools/once-per-run.ts';

export interface PortalStage {
  readonly gateway: RunningGateway;
  /** Stops the gateway for the time of `meanwhile`. Its database must be one that remains. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  /** The origin of the pages: passkeys work on localhost, not on its address. */
  readonly origin: string;
  /** A browser of one user, with a device for passkeys. */
  open(): Promise<Visitor>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the policy, messages on the console, errors of scripts, requests to other origins. */
  readonly offences: string[];
  goto(path: string): Promise<void>;
  /** One line per violation that axe finds on the page, by all rules or by those of colours alone. */
  violations(rules?: keyof typeof RULES): Promise<string[]>;
}

/** The longest wait for one thing on a page: a page that waits longer is broken, and the tests after it should run. */
const WAIT_MS = 60_000;
const RULES = {
  all: { type: 'tag', values: WCAG_2_2_AA },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/**
 * `variables`: of the gateway. `database`: one that remains; absent: an empty one. `onProgress`: gets the lines that the gateway
 * prints while it starts.
 */
export async function openPortalStage(
  variables: EnvironmentVariables = {},
  database?: TestDatabase,
  onProgress: (line: string) => void = () => {},
): Promise<PortalStage> {
  await oncePerRun('portal', buildPortal);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const start = () =>
    startGateway({
      onProgress,
      variables: { ...variables, MANAGE_PORT: String(port), MANAGE_ORIGIN: origin },
      // The demo’s banks are not there to be compared with.
      ...(database ? { database, withoutBank: true } : {}),
    });
  let gateway = await start();
  const browser = await launchChromium();
  return {
    get gateway() {
      return gateway;
    },
    origin,
    async restart(meanwhile) {
      await gateway.stop();
      await meanwhile();
      gateway = await start();
    },
    open: async () => openVisitor(await openContext(browser, { reducedMotion: 'reduce' }), origin),
    async close() {
      await browser.close();
      await gateway.verifyAndStop();
    },
  };
}

async function openVisitor(context: BrowserContext, origin: string): Promise<Visitor> {
  context.setDefaultTimeout(WAIT_MS);
  await addProbes(context);
  const page = await context.newPage();
  await addPasskeyDevice(context, page);
  const offences: string[] = [];
  page.on('console', (message) => {
    // The browser itself logs each 4xx status of the API.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isStatus) offences.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) offences.push(`request: ${request.url()}`);
  });
  return {
    page,
    context,
    offences,
    async goto(path) {
      await page.goto(origin + path);
    },
    violations: (rules = 'all') => findViolationsOf(page, RULES[rules]),
  };
}

/** A run of `gateway conform` that did not pass. */
export async function reportRun(
  { merchants }: PortalStage['gateway']['operations'],
  merchantId: string,
): Promise<void> {
  const results = KNOWN_CHECKS.map(({ name }, at) =>
    at % 9 === 3
      ? { name, state: 'failed' as const, found: 'The book has 2 lines about cf-3f9c21ab-7; 1 is right.' }
      : { name, state: 'passed' as const, found: '' },
  );
  assert.ok((await merchants.recordConformance(merchantId, results, 'http://127.0.0.1:9000/callbacks')).ok);
}

/** The browser’s own device: it confirms every challenge, as a user with a finger on the key would. */
async function addPasskeyDevice(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Accepts a single-use link on its page. */
export async function acceptOnPage(visitor: Visitor, link: string, name: string): Promise<void> {
  await visitor.page.goto(link);
  await visitor.page.getByLabel('Your name').fill(name);
  await visitor.page.getByLabel('Name of this device').fill('Laptop');
  await visitor.page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
  await visitor.page.getByRole('navigation').waitFor({ timeout: PATIENCE_MS });
}

/** A user who was invited, and has joined. `merchantId` null: of the operator. */
export async function invited(
  stage: PortalStage,
  merchantId: string | null,
  role: string,
  name: string,
): Promise<Visitor> {
  // A role of both has two users.
  const email = `${role}@${merchantId === null ? 'gateway.example' : 'example.com'}`;
  const invitation = await stage.gateway.operations.people.invite({ email, merchantId, role });
  assert.ok(invitation.ok, JSON.stringify(invitation));
  const visitor = await stage.open();
  await acceptOnPage(visitor, invitation.value.link.reveal(), name);
  return visitor;
}
