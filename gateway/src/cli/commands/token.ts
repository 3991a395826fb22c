/** `gateway token …`: the credentials of programs for the management API. */
import type { Command } from 'commander';
import { type Permission, SCOPE_NAMES } from '../../../contract/permissions.ts';
import type { ApiToken } from '../../domain/people/api-token.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readListOf, readWholeNumber } from '../read-arguments.ts';
import { merchantNotFound } from '../refusals.ts';

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
    .option('--merchant <merchant>', 'only objects of this merchant; by default a token of the operator')
    .option('--days <count>', 'how long it is valid', readWholeNumber(1, 366), 90)
    .action(
      actionOf(context, async (open, { name, scopes, merchant, days }: CreateOptions) => {
        const issued = await (await open()).tokens.issue({ name, scopes, merchantId: merchant ?? null, days });
        if (!issued.ok) throw merchantNotFound(merchant ?? '');
        const { token, secret } = issued.value;
        return {
          json: { ...tokenJson(token), token: secret.reveal() },
          human: `✓ Token ${token.tokenId} is valid until ${humanTime(token.expiresAt)} UTC.\n  token  ${secret.reveal()}\n  The token is shown this once.`,
        };
      }),
    );
  addCommand(group, 'list', 'list API tokens, newest first').action(
    actionOf(context, async (open) => {
      const tokens = await (await open()).tokens.list();
      return { json: tokens.map(tokenJson), human: tokenTable(tokens) };
    }),
  );
  addCommand(group, 'revoke <token_id>', 'revoke an API token now').action(
    actionOf(context, async (open, tokenId: string) => {
      const token = await (await open()).tokens.revoke(tokenId);
      if (!token) throw new CommandFailure(`There is no token "${tokenId}": see "gateway token list"`);
      return { json: tokenJson(token), human: `✓ Token ${tokenId} is revoked.` };
    }),
  );
}

function tokenJson(token: ApiToken) {
  return {
    token_id: token.tokenId,
    name: token.name,
    merchant: token.merchantId,
    scopes: token.scopes,
    created_at: jsonTime(token.createdAt),
    expires_at: jsonTime(token.expiresAt),
    revoked_at: jsonTime(token.revokedAt),
    last_used_at: jsonTime(token.lastUsedAt),
  };
}

function tokenTable(tokens: readonly ApiToken[]): string {
  const rows = tokens.map((token) => [
    token.tokenId,
    token.name,
    token.merchantId ?? 'operator',
    humanTime(token.expiresAt),
    humanTime(token.revokedAt),
    humanTime(token.lastUsedAt),
    token.scopes.join(' '),
  ]);
  const header = ['TOKEN', 'NAME', 'OF', 'VALID UNTIL', 'REVOKED', 'LAST USED', 'SCOPES'];
  return formatTable(header, rows, 'There are no API tokens yet.');
}
