/** Runs a browser on the pages of a complete gateway. While a page is open, it records everything that no page may do. */
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { buildPortal } from '../../../../portal/build.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { KNOWN_CHECKS } from '../../../src/protocol/conformance/play-receiver.ts';
import { addProbes, findViolationsOf, WCAG_2_2_AA } from '../../browser/axe.ts';
import { launchChromium, openContext, PATIENCE_MS } from '../../browser/chromium.ts';
import { freePort, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestDatabase } from '../../support/postgres/postgres.ts';
import { oncePerRun } from '../../support/tools/once-per-run.ts';

export interface PortalStage {
  readonly gateway: RunningGateway;
  /** Stops the gateway while `meanwhile` runs. Requires a database that survives the stop. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  /** The origin of the pages. Passkeys work on localhost, but not on its IP address. */
  readonly origin: string;
  /** Opens a browser for one user, with a passkey device. */
  open(): Promise<Visitor>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The CSP violations, console messages, script errors, and requests to other origins. */
  readonly offences: string[];
  goto(path: string): Promise<void>;
  /** Returns one line per axe violation on the page, by all rules or only those about colours. */
  violations(rules?: keyof typeof RULES): Promise<string[]>;
}

/** The maximum wait on a page. A page that takes longer is broken, and later tests should still run. */
const WAIT_MS = 60_000;
const RULES = {
  all: { type: 'tag', values: WCAG_2_2_AA },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/**
 * `variables` configure the gateway. `database` is a database that survives a restart; it defaults to an empty one.
 * `onProgress` gets the lines that the gateway prints while it starts.
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
      // The demo’s banks do not run, so there is nothing to reconcile with.
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
    // The browser logs each 4xx status of the API.
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

/** Reports a failed run of `gateway conform`. */
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

/** A virtual passkey device that confirms every challenge, like a user who touches a security key. */
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
  await visitor.page.getByLabel('Device name').fill('Laptop');
  await visitor.page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
  await visitor.page.getByRole('navigation').waitFor({ timeout: PATIENCE_MS });
}

/** Invites a user, who then joins. If `merchantId` is null, the user is an operator user. */
export async function invited(
  stage: PortalStage,
  merchantId: string | null,
  role: string,
  name: string,
): Promise<Visitor> {
  // The operator and the merchant each have a user with this role.
  const email = `${role}@${merchantId === null ? 'gateway.example' : 'example.com'}`;
  const invitation = await stage.gateway.operations.people.invite({ email, merchantId, role });
  assert.ok(invitation.ok, JSON.stringify(invitation));
  const visitor = await stage.open();
  await acceptOnPage(visitor, invitation.value.link.reveal(), name);
  return visitor;
}
