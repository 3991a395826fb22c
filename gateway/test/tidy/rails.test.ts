/** Every rail follows the recipe for adding one, and the check finds planted deviations. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { filesNamingRails, findRailOffences, findStaleRows, readRecipe } from './rails.ts';

const root = mkdtempSync(join(tmpdir(), 'rails-'));
after(() => rmSync(root, { recursive: true }));

const FOLDER = 'gateway/src/rails/acme-bank';
const SIMULATOR = 'rail-simulators/src/acme-bank';

const CONNECTOR_TYPE = `interface Connector {
  readonly payoutRail?: PayoutRail;
  readonly connections?: readonly Closable[];
}`;

/** A rail that follows the recipe. */
const KEPT: Readonly<Record<string, string>> = {
  [`${FOLDER}/configuration.ts`]: 'const url = values.ACME_BANK_URL;',
  [`${FOLDER}/protocol.ts`]: '/** Confirmed by its document: everything. */',
  [`${FOLDER}/protocol.test.ts`]: '',
  [`${FOLDER}/connector.ts`]:
    "import { createRail } from './payout-rail.ts';\nimport { create } from './notifications.ts';",
  [`${FOLDER}/payout-rail.ts`]:
    "import type { ProviderHttp } from '../kit/provider-http.ts';\nexport function createRail(): PayoutRail {}",
  [`${FOLDER}/notifications.ts`]:
    "export const create = (secret: Secret): RailNotifications => ({ name: 'acme-bank' });",
  [`${SIMULATOR}/README.md`]: '',
  [`${SIMULATOR}/book.ts`]: '',
  [`${SIMULATOR}/faults.ts`]: '',
  [`${SIMULATOR}/routes.ts`]: '',
  [`${SIMULATOR}/processing.ts`]: '',
  [`${SIMULATOR}/server.ts`]: '',
  [`${SIMULATOR}/gateway-variables.ts`]: '',
  [`${SIMULATOR}/under-test.ts`]: '',
  [`${SIMULATOR}/book.test.ts`]: '',
  'rail-simulators/src/simulators.ts': "import { acmeBank } from './acme-bank/simulator.ts';",
  [`${SIMULATOR}/simulator.ts`]: "const port = environment['ACME_BANK_PORT'];",
  'gateway/src/rails/kit/connector.ts': CONNECTOR_TYPE,
  'gateway/src/rails/registry.ts': "import { acmeBank } from './acme-bank/connector.ts';",
};

const SIMULATOR_FILES = Object.keys(KEPT).filter((path) => path.startsWith(SIMULATOR));

/** Null removes the file. */
function write(change: Readonly<Record<string, string | null>>): void {
  rmSync(root, { recursive: true });
  for (const [path, text] of Object.entries({ ...KEPT, ...change })) {
    if (text === null) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function offencesOf(change: Readonly<Record<string, string | null>>): string[] {
  write(change);
  return findRailOffences(root, readRecipe());
}

/** The registry, the list of simulators, the list of the demo, and the demo's own file. */
const FILES_OUTSIDE = 4;
/** The demo shows a payout and a deposit through these rails. */
const SHOWN_BY_DEMO: Readonly<Record<string, number>> = { 'adyen-transfers': 6, stp: 7 };

describe('files outside a rail’s directories that name it', () => {
  for (const [rail, paths] of filesNamingRails()) {
    const most = SHOWN_BY_DEMO[rail] ?? FILES_OUTSIDE;
    it(`at most ${most} files outside its directories name the rail ${rail}: ${paths.length}`, () => {
      assert.ok(paths.length <= most, paths.join(', '));
    });
  }

  it('the count of files that name a rail excludes its directories, tests and comments', () => {
    write({
      'gateway/src/worker/a.ts': "if (rail === 'acme-bank') pay();",
      'gateway/src/worker/b.ts': '// Seen at `acme-bank`.',
      'gateway/src/worker/a.test.ts': "const rail = 'acme-bank';",
    });
    const found = filesNamingRails(root).get('acme-bank');
    assert.deepEqual(found, [
      'gateway/src/rails/registry.ts',
      'gateway/src/worker/a.ts',
      'rail-simulators/src/simulators.ts',
    ]);
  });
});

describe('the recipe for adding a rail', () => {
  it('every rail of the gateway follows the recipe', () => {
    assert.deepEqual(findRailOffences(), []);
  });

  it('the recipe lists no file that no rail has', () => {
    assert.deepEqual(findStaleRows(), []);
  });

  it('a file that the recipe for rails lists must exist in a rail', () => {
    write({});
    const row = { path: 'gateway/src/rails/<name>/{protocol,envelope}.ts', where: undefined };
    const line = 'docs/recipes/add-a-rail.md lists gateway/src/rails/*/envelope.ts, which no rail has';
    assert.deepEqual(findStaleRows(root, [row]), [line]);
  });

  it('a rail that does everything in the recipe follows it', () => {
    assert.deepEqual(offencesOf({}), []);
  });

  it('the recipe does not require a simulator for a rail without a third party', () => {
    const ownRail = {
      [`${FOLDER}/payout-rail.ts`]: 'export function createRail(): PayoutRail {}',
      ...Object.fromEntries(SIMULATOR_FILES.map((path) => [path, null])),
      'rail-simulators/src/simulators.ts': null,
    };
    assert.deepEqual(offencesOf(ownRail), []);
  });

  for (const path of Object.keys(KEPT).filter((file) =>
    /(?:configuration|protocol|README|simulator|book|faults|routes|server|gateway-variables|processing|under-test)\b/.test(
      file,
    ),
  )) {
    it(`a rail without ${path} violates the recipe for rails`, () => {
      assert.deepEqual(offencesOf({ [path]: null }), [`${path.replace(/\w+\.test/, '*.test')} is missing`]);
    });
  }

  const elsewhere = {
    'gateway/src/worker/a.ts': "if (rail === 'acme-bank') pay();",
    'gateway/src/main/compose/compose.ts': "import { a } from '../rails/acme-bank/payout-rail.ts';",
    'gateway/src/main/doctor/doctor.ts': 'const url = values.ACME_BANK_URL;',
    'gateway/src/cli/a.ts': 'const rail = acmeBankPayoutRail;',
    'gateway/src/rails/other/protocol.ts': "/** Confirmed. */ const path = '/rail-notifications/acme-bank';",
    'rail-simulators/src/clock.ts': "export const owner = 'acme-bank';",
  };
  for (const [path, text] of Object.entries(elsewhere)) {
    it(`a file that names a rail violates the recipe for rails: ${path}: ${text}`, () => {
      assert.ok(offencesOf({ [path]: text }).includes(`${path}: names the rail acme-bank`));
    });
  }

  for (const folder of [FOLDER, SIMULATOR]) {
    it(`the rails check fails on a file in ${folder} that add-a-rail.md does not list`, () => {
      const listed = folder === FOLDER ? 'reference' : 'requests';
      const change = {
        [`${folder}/${listed}.ts`]: '',
        [`${folder}/webhooks.ts`]: '',
        [`${folder}/br-code.ts`]: '',
      };
      const path = (file: string) => `${folder}/${file}.ts: the recipe does not list this file`;
      assert.deepEqual(offencesOf(change).toSorted(), [path('br-code'), path('webhooks')]);
    });
  }

  const allowed = {
    'gateway/src/main/config/config.test.ts': "const given = { ACME_BANK_URL: 'x' };",
    'gateway/test/api/a.test.ts': "const rail = 'acme-bank';",
    'gateway/bench/a.ts': "import { startAcmeBank } from '../../rail-simulators/src/acme-bank/server.ts';",
    'demo/src/a.ts': "const notify = '/rail-notifications/acme-bank';",
    'gateway/src/worker/a.ts': '// Seen at acme-bank: `acme-bank` repeats itself.',
  };
  for (const [path, text] of Object.entries(allowed)) {
    it(`the recipe for rails allows the name of a rail in ${path}: ${text}`, () => {
      assert.deepEqual(offencesOf({ [path]: text }), []);
    });
  }

  it('a rail whose name begins with another rail’s name is counted only for itself', () => {
    const longer =
      'const url = values.ACME_BANK_TRANSFERS_URL;\nexport function createAcmeBankTransfersRail(): PayoutRail {}';
    const change = {
      'gateway/src/rails/acme-bank-transfers/payout-rail.ts': longer,
      'gateway/src/worker/a.ts': 'const rail = acmeBankTransfersRail;',
    };
    const naming = offencesOf(change).filter((offence) => offence.includes('names the rail'));
    assert.deepEqual(naming, ['gateway/src/worker/a.ts: names the rail acme-bank-transfers']);
  });

  const offences: readonly [what: string, change: Readonly<Record<string, string>>, offence: string][] = [
    [
      'makes a port in a file of another name',
      { [`${FOLDER}/clients.ts`]: 'export function createDeposits(): DepositRail {}' },
      `${FOLDER}/clients.ts makes a DepositRail`,
    ],
    [
      'has the file of a port and makes none in it',
      { [`${FOLDER}/deposit-rail.ts`]: '' },
      `${FOLDER}/deposit-rail.ts makes no DepositRail`,
    ],
    [
      'makes a port that its connector does not have',
      { [`${FOLDER}/transfer-lister.ts`]: 'export function createLister(): TransferLister {}' },
      `${FOLDER}/connector.ts does not import ${FOLDER}/transfer-lister.ts`,
    ],
    [
      'is not registered',
      { 'gateway/src/rails/registry.ts': "import type { AcmeBankConfiguration } from './acme-bank/configuration.ts';" },
      `gateway/src/rails/registry.ts does not import ${FOLDER}/connector.ts`,
    ],
    [
      'does not say in its protocol how it was confirmed',
      { [`${FOLDER}/protocol.ts`]: '/** The bytes. */\n// Confirmed' },
      `${FOLDER}/protocol.ts: its header says of nothing by what it is confirmed`,
    ],
    [
      'has a simulator that is not registered',
      { 'rail-simulators/src/simulators.ts': '' },
      'rail-simulators/src/simulators.ts: does not name the rail acme-bank',
    ],
    [
      'has a port without a file in the recipe',
      { 'gateway/src/rails/kit/connector.ts': 'interface Connector {\n  readonly cardRail?: CardRail;\n}' },
      'docs/recipes/add-a-rail.md has no file for the port CardRail',
    ],
  ];
  for (const [what, change, offence] of offences) {
    it(`a rail violates the recipe for rails when it ${what}`, () => {
      assert.ok(offencesOf(change).includes(offence));
    });
  }
});
