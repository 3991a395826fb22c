/** `gateway token …`: the credentials of programs for the management API. */
import type { Command } from 'commander';
import type { Token } from '../../../../contract/endpoints/tokens.ts';
import { type Permission, SCOPE_NAMES } from '../../../../contract/permissions.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';
import { readListOf, readWholeNumber } from '../../read-arguments.ts';

interface CreateOptions {
  readonly name: string;
  readonly scopes: readonly Permission[];
  readonly merchant?: string;
  readonly days: number;
}

export function addTokenCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'token', 'create, list and revoke API tokens for the management API');
  addCommand(group, 'create', 'create an API token; show it once')
    .requiredOption('--name <name>', 'the program that uses it')
    .requiredOption('--scopes <scopes>', `comma-separated: ${SCOPE_NAMES.join(', ')}`, readListOf(SCOPE_NAMES))
    .option('--merchant <merchant>', 'restrict the token to this merchant; an operator token by default')
    .option('--days <count>', 'the number of days until the token expires', readWholeNumber(1, 366), 90)
    .action(
      actionOf(context, async (call, { name, scopes, merchant, days }: CreateOptions) => {
        const query = merchant === undefined ? {} : { merchantId: merchant };
        const body = { name, scopes: [...scopes], days };
        const { token, secret } = await call('tokens.create', { query, body }, { merchantId: 'merchant' });
        return {
          json: { token, secret },
          human: `✓ Created token ${token.tokenId}, valid until ${humanIsoTime(token.expiresAt)} UTC.\n  token  ${secret}\n  The token is shown only once.`,
        };
      }),
    );
  addCommand(group, 'list', 'list API tokens, newest first').action(
    actionOf(context, async (call) => {
      const { items } = await call('tokens.list');
      return { json: items, human: tokenTable(items) };
    }),
  );
  addCommand(group, 'revoke <token_id>', 'revoke an API token now').action(
    actionOf(context, async (call, tokenId: string) => {
      const json = await call('tokens.revoke', { params: { tokenId } });
      return { json, human: `✓ Revoked token ${tokenId}.` };
    }),
  );
}

function tokenTable(tokens: readonly Token[]): string {
  const rows = tokens.map((token) => [
    token.tokenId,
    token.name,
    token.merchantId ?? 'operator',
    humanIsoTime(token.expiresAt),
    humanIsoTime(token.revokedAt),
    humanIsoTime(token.lastUsedAt),
    token.scopes.join(' '),
  ]);
  const header = ['TOKEN', 'NAME', 'OF', 'VALID UNTIL', 'REVOKED', 'LAST USED', 'SCOPES'];
  return formatTable(header, rows, 'There are no API tokens.');
}
