/** `gateway statement …`: statements as files, and the check of their signatures. */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { STATEMENT_FORMATS, type StatementFormat } from '../../../domain/statements/statement-seal.ts';
import { type VerifyFailure, verifyStatement } from '../../../domain/statements/verify-statement.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable, humanIsoTime, unreadableText } from '../../command-output.ts';
import { readCurrency, readOneOf, readTime } from '../../read-arguments.ts';

interface ExportOptions {
  readonly since: Instant;
  readonly until: Instant;
  readonly format: StatementFormat;
  readonly output?: string;
}

export function addStatementCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'statement', 'write and check statements');
  addExport(group, context);
  addVerify(group, context);
  addCommand(group, 'keys <merchant>', 'list the public keys that sign a merchant’s statements, newest first').action(
    actionOf(context, async (call, merchantId: string) => {
      const { items } = await call('statementKeys.list', { params: { merchantId } });
      const rows = items.map(({ keyId, publicKey, createdAt }) => [keyId, publicKey, humanIsoTime(createdAt)]);
      const none = 'No key exists yet. "gateway serve" creates one.';
      return { json: items, human: formatTable(['KEY', 'PUBLIC KEY', 'CREATED'], rows, none) };
    }),
  );
  addCommand(group, 'rotate-key', 'create a key for future statements; old keys still verify older ones').action(
    actionOf(context, async (call) => {
      const json = await call('statementKeys.rotate');
      return { json, human: `✓ Key ${json.keyId} signs statements from now on: ${json.publicKey}` };
    }),
  );
}

function addExport(group: Command, context: CommandContext): void {
  addCommand(group, 'export', 'write the statement of a period to a file, signed if the period is closed')
    .argument('<merchant>')
    .argument('<currency>', 'such as EUR', readCurrency)
    .requiredOption('--since <time>', 'the beginning, UTC', readTime)
    .requiredOption('--until <time>', 'the end, exclusive, UTC', readTime)
    .option('--format <format>', STATEMENT_FORMATS.join(', '), readOneOf(STATEMENT_FORMATS), 'pdf')
    .option('--output <file>', 'the file to write; named after the merchant and the period by default')
    .action(
      actionOf(context, async (call, merchantId: string, currency: Currency, options: ExportOptions) => {
        const { format } = options;
        const period = { from: new Date(options.since).toISOString(), until: new Date(options.until).toISOString() };
        const query = { currency, ...period, format };
        const written = await call.download('statements.show', { params: { merchantId }, query });
        const name = options.output ?? written.name;
        await writeWhole(name, written.pieces);
        return { json: { file: name }, human: `✓ Wrote ${name}` };
      }),
    );
}

/** The file gets its name only when it is complete. After a broken connection, an existing file of that name is unchanged. */
async function writeWhole(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const isNoFile = (await stat(name).catch(() => undefined))?.isFile() === false;
  const part = isNoFile ? name : `${name}.part`;
  try {
    await writeFile(part, pieces);
    if (!isNoFile) await rename(part, name);
  } catch (error) {
    if (!isNoFile) await rm(part, { force: true });
    throw new CommandFailure(`${name} was not written: ${error instanceof Error ? error.message : error}`);
  }
}

function addVerify(group: Command, context: CommandContext): void {
  addCommand(group, 'verify', 'check the signature of a statement; exit with code 1 if the file was changed')
    .argument('<file>')
    .option('--key <public>', 'the public key, to verify without the gateway; defaults to the keys of this gateway')
    .action(
      actionOf(context, async (call, file: string, { key }: { key?: string }) => {
        const publicKeyOf = async (keyId: string, merchantId: string) => {
          if (key !== undefined) return key;
          const { items } = await call('statementKeys.list', { params: { merchantId } });
          return items.find((each) => each.keyId === keyId)?.publicKey;
        };
        const content = await readFile(file).catch((error: unknown) => {
          throw new CommandFailure(unreadableText(file, error));
        });
        const verified = await verifyStatement(content, publicKeyOf);
        if (!verified.ok)
          return { json: { ok: false, fault: verified.error }, human: `✗ ${FAULTS[verified.error]}`, exitCode: 1 };
        const { manifest, keyId } = verified.value;
        const { merchantId, currency, from, until, opening, closing, lines } = manifest;
        return {
          json: { ok: true, key: keyId, statement: manifest },
          human: `✓ ${merchantId}, ${from} until ${until}: ${opening} ${currency} and ${lines} lines make ${closing} ${currency}. Signed by ${keyId}.`,
        };
      }),
    );
}

const FAULTS: Readonly<Record<VerifyFailure, string>> = {
  unsigned: 'The file is not signed. The gateway signs a statement only when its period is closed.',
  unknown_key: 'The signing key is not a key of this gateway. Pass the public key with --key.',
  signature_wrong:
    'The signature does not verify with this key. The file was forged or changed, or it was signed with a different key.',
  content_changed: 'The signature is genuine, but the file was changed after it was signed.',
};
