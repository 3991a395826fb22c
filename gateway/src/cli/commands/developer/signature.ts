/** `gateway signature explain`: finds the mistake in a request's signature, without a server. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { LOGGED_ENDPOINTS, type LoggedEndpoint } from '../../../domain/requests/logged-request.ts';
import { DOCUMENTED_KEY, type SignatureFinding } from '../../../domain/signature-doctor/examination.ts';
import type { DoctorKey, KeyOrigin } from '../../../domain/signature-doctor/suspect.ts';
import { Secret } from '../../../foundation/secret.ts';
import { addCommand, addGroup, type CommandContext, offlineActionOf } from '../../command-context.ts';
import { CommandFailure, unreadableText } from '../../command-output.ts';
import { readOneOf } from '../../read-arguments.ts';
import { readKeyFile } from '../../read-key-file.ts';

interface SignOptions {
  readonly endpoint: LoggedEndpoint;
  readonly keyFile: string;
  readonly formKeyFile?: string;
  readonly oldKeyFile?: string;
  readonly xSign?: string;
}

export function addSignatureCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'signature', 'check signatures without the gateway');
  addCommand(group, 'explain', 'explain the mistake in a wrong signature of a request')
    .argument('<file>', 'the body exactly as it was sent, or the query of a form link')
    .requiredOption('--key-file <path>', 'a file with the API key')
    .option('--form-key-file <path>', 'a file with the form key')
    .option('--old-key-file <path>', 'a file with an earlier API key')
    .option('--endpoint <endpoint>', LOGGED_ENDPOINTS.join(', '), readOneOf(LOGGED_ENDPOINTS), 'payout_send')
    .option('--x-sign <signature>', 'the header X-Sign, if it was sent')
    .action(
      offlineActionOf(context, async (file: string, options: SignOptions) => {
        const request = await readFile(file).catch((error: unknown) => {
          throw new CommandFailure(unreadableText(file, error));
        });
        const headers: Record<string, string> = options.xSign === undefined ? {} : { 'x-sign': options.xSign };
        const asked = { endpoint: options.endpoint, request, headers, requiresXSign: false };
        const findings = context.host.examineRequest(asked, await readKeys(options), true);
        const isRight = findings.every(({ kind }) => kind === 'right');
        return { json: { findings }, human: findings.map(findingText).join('\n\n'), exitCode: isRight ? 0 : 1 };
      }),
    );
}

async function readKeys({ keyFile, formKeyFile, oldKeyFile }: SignOptions): Promise<readonly DoctorKey[]> {
  const files: readonly (readonly [KeyOrigin, string | undefined])[] = [
    ['api', keyFile],
    ['form', formKeyFile],
    ['old_api', oldKeyFile],
  ];
  const keys: DoctorKey[] = [{ origin: 'documentation', secret: new Secret(DOCUMENTED_KEY) }];
  for (const [origin, path] of files) {
    if (path === undefined) continue;
    keys.push({ origin, secret: await readKeyFile(path) });
  }
  return keys;
}

const PARTS = { sign: 'sign', x_sign: 'X-Sign' } as const;

function findingText(finding: SignatureFinding): string {
  const part = PARTS[finding.part];
  if (finding.kind === 'right') return `✓ ${part} is valid.`;
  if (finding.kind === 'absent') return `✗ ${finding.text}`;
  if (finding.kind === 'no_key') return `✗ ${part} cannot be checked without the key for this endpoint.`;
  if (finding.kind === 'unknown')
    return `✗ ${part} is invalid. No known mistake explains it. ${finding.text}\n  string to sign:  ${finding.expected}`;
  const { mistakes, expected, signed, differsAt } = finding;
  const texts = differsAt === null ? [] : [`  signed:    ${signed}`, `  first difference: byte ${differsAt}`];
  return [`✗ ${part}: ${mistakes.map(({ text }) => text).join(' ')}`, `  string to sign:  ${expected}`, ...texts].join(
    '\n',
  );
}
