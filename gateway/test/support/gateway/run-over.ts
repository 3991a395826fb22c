/** The command line for a gateway with only the parts that a test needs. Its actions pass the checks of the management API. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { CommandHost } from '../../../src/cli/command-host.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import type { NewAuditEntry } from '../../../src/domain/audit/audit-entry.ts';
import type { GatewayOperations } from '../../../src/domain/gateway-operations.ts';
import type { PeopleParts } from '../../../src/domain/people/people-parts.ts';
import { createManualClock, systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createHandlers } from '../../../src/main/compose/manage/create-handlers.ts';
import { emergencyCaller, inProcess } from '../../../src/main/manage-transport.ts';
import { createHttpServer } from '../../../src/protocol/http/http-server.ts';
import { manageRoutes } from '../../../src/protocol/manage/manage-routes.ts';
import { manageErrorBody } from '../../../src/protocol/manage/send-answer.ts';
import { createOpenFiles } from '../../../src/protocol/manage/streams/file-stream-limits.ts';

export type Deep<Shape> = {
  readonly [Name in keyof Shape]?: Shape[Name] extends (...call: never[]) => unknown ? Shape[Name] : Deep<Shape[Name]>;
};

/** What `show` reads in addition to the payment. */
const NOTHING_ELSE: Deep<GatewayOperations> = {
  monitoring: { pace: async () => null },
  people: { actorNames: async () => new Set() },
  batches: { findByPayout: async () => undefined },
  proposals: { about: async () => [] },
};

/** No command of these tests is about users. */
const people = {} as PeopleParts;

const runInTransaction = async () => assert.fail('no command of these tests is a dry run');

const SYSTEM_USER = 'root@server';

function apiOver(operations: GatewayOperations, entries: NewAuditEntry[], by: string | undefined) {
  const clock = createManualClock(0);
  let internalError: unknown;
  const app = createHttpServer({
    errorBody: (_path, text) => manageErrorBody(text, 'request'),
    trustedProxies: [],
    onInternalError: () => {},
  });
  void app.register(
    manageRoutes({
      handlers: createHandlers({ clock }, operations, people, runInTransaction),
      runInTransaction,
      policies: operations.policies,
      proposals: operations.proposals,
      isBulkRead: () => false,
      streams: { handlers: new Map(), files: createOpenFiles(), close: () => {} },
      commandLine: emergencyCaller(SYSTEM_USER, by),
      authenticate: { token: async () => undefined, session: async () => undefined },
      people,
      origin: '',
      fingerprint: (text) => createHash('sha256').update(text.reveal()).digest(),
      onInternalError: (error) => {
        internalError = error;
      },
      acts: {
        begin: async ({ entry }) => {
          entries.push(entry);
          return { kind: 'begun' };
        },
        end: async ({ entry }) => {
          entries.push(entry);
        },
      },
      clock,
      random: systemRandom,
    }),
  );
  return { ...inProcess(app, () => internalError), newKey: () => systemRandom.uuid(), close: () => app.close() };
}

/** Runs one command line. Words in single quotes are one argument. */
export async function runOver(
  commandLine: string,
  operations: Deep<GatewayOperations> = {},
  over: Partial<CommandHost> = {},
) {
  const result = { stdout: '', stderr: '', opened: 0, closed: 0, exitCode: 0, entries: [] as NewAuditEntry[] };
  const host: CommandHost = {
    open: async ({ as }) => {
      result.opened += 1;
      const known = { ...NOTHING_ELSE, ...operations };
      const api = apiOver(known as GatewayOperations, result.entries, as);
      const close = async () => {
        result.closed += 1;
        await api.close();
      };
      return { api, close };
    },
    serve: async () => 0,
    migrate: async () => ({ applied: [], distributed: [] }),
    version: async () => '',
    examineInstallation: async () => [],
    backups: () => {
      throw new Error('No test of commands backs up');
    },
    untilStopSignal: async () => {},
    examineRequest: () => [],
    playReceiver: async () => [],
    deliverSigned: async () => ({ status: null, reply: '', latencyMs: 0, fault: null }),
    orderSandbox: async () => ({}),
    clock: systemClock,
    explain: () => undefined,
    stdout: (text) => {
      result.stdout += text;
    },
    stderr: (text) => {
      result.stderr += text;
    },
    ...over,
  };
  const words = commandLine.match(/'[^']*'|\S+/g) ?? [];
  result.exitCode = await runCommandLine(
    words.map((word) => word.replace(/^'(.*)'$/, '$1')),
    host,
  );
  return result;
}
