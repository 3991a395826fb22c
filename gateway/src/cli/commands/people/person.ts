/** `gateway person …`: users, for the first administrator and for emergencies. None of these commands needs a second person. */
import type { Command } from 'commander';
import type { Endpoints } from '../../../../contract/endpoints.ts';
import type { AnswerOf } from '../../../../contract/parts/endpoint.ts';
import { MERCHANT_ROLES, OPERATOR_ROLES, ROLE_NAMES } from '../../../../contract/permissions.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable, humanIsoTime } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { readOneOf } from '../../read-arguments.ts';

interface TeamOptions {
  readonly merchant?: string;
}

interface ActOptions extends TeamOptions {
  readonly reason: string;
}

interface RoleOptions extends ActOptions {
  readonly role: (typeof ROLE_NAMES)[number];
}

interface InviteOptions extends RoleOptions {
  readonly email: string;
}

type Member = AnswerOf<Endpoints['people.list']>['items'][number];

const OF_TEAM = ['--merchant <merchant>', 'the team of this merchant; defaults to the operator’s team'] as const;
const BECAUSE = ['--reason <text>', 'the reason, which the audit log records'] as const;

export function addPersonCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'person', 'list, invite, remove and reset users');
  addCommand(group, 'list', 'list the members of a team with their roles')
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (call, team: TeamOptions) => {
        const { items } = await call('people.list', { query: queryOf(team) });
        return { json: items, human: memberTable(items) };
      }),
    );
  addInvite(group, context);
  addRoleAndInvitations(group, context);
  addCommand(group, 'remove <email>', 'remove a user from a team; their sessions there end immediately')
    .option(...OF_TEAM)
    .requiredOption(...BECAUSE)
    .action(
      actionOf(context, async (call, email: string, { reason, ...team }: ActOptions) => {
        const params = await findPerson(call, email, team);
        const json = await call('people.remove', { params, query: queryOf(team), body: { reason } });
        return { json, human: `✓ Removed ${email}.` };
      }),
    );
  addCommand(group, 'reset <email>', 'create a single-use link that replaces all credentials of a person')
    .option(...OF_TEAM)
    .requiredOption(...BECAUSE)
    .action(
      actionOf(context, async (call, email: string, { reason, ...team }: ActOptions) => {
        const json = await call('people.reset', { params: await findPerson(call, email, team), body: { reason } });
        const human =
          json.link === null
            ? `✓ The reset of ${email} waits for the approval of an administrator.`
            : `✓ Give this link to ${email}. It works once, for 48 hours.\n  ${json.link}`;
        return { json, human };
      }),
    );
}

function addRoleAndInvitations(group: Command, context: CommandContext): void {
  addCommand(group, 'role <email>', 'change a user’s role, effective immediately')
    .requiredOption('--role <role>', 'the new role', readOneOf(ROLE_NAMES))
    .option(...OF_TEAM)
    .requiredOption(...BECAUSE)
    .action(
      actionOf(context, async (call, email: string, { role, reason, ...team }: RoleOptions) => {
        const params = await findPerson(call, email, team);
        const json = await call('people.setRole', { params, query: queryOf(team), body: { role, reason } });
        return { json, human: `✓ Made ${email} ${role}.` };
      }),
    );
  addCommand(group, 'end-sessions <email>', 'end a user’s sessions in a team now')
    .option(...OF_TEAM)
    .requiredOption(...BECAUSE)
    .action(
      actionOf(context, async (call, email: string, { reason, ...team }: ActOptions) => {
        const params = await findPerson(call, email, team);
        const json = await call('people.endSessions', { params, query: queryOf(team), body: { reason } });
        return { json, human: `✓ Ended ${json.ended} sessions of ${email}.` };
      }),
    );
  addCommand(group, 'invitations', 'list the open invitations of a team, newest first')
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (call, team: TeamOptions) => {
        const { items } = await call('invitations.list', { query: queryOf(team) });
        const rows = items.map(({ invitationId, email, role, invitedBy, expiresAt }) => [
          invitationId,
          email ?? '',
          role ?? '',
          invitedBy,
          humanIsoTime(expiresAt),
        ]);
        const header = ['INVITATION', 'E-MAIL', 'ROLE', 'BY', 'VALID UNTIL'];
        return { json: items, human: formatTable(header, rows, 'No open invitations.') };
      }),
    );
  addCommand(group, 'revoke-invitation <invitation_id>', 'revoke an open invitation')
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (call, invitationId: string, team: TeamOptions) => {
        const json = await call('invitations.revoke', { params: { invitationId }, query: queryOf(team) });
        return { json, human: '✓ Revoked the invitation.' };
      }),
    );
}

function addInvite(group: Command, context: CommandContext): void {
  addCommand(group, 'invite', 'create a single-use link for a new person; show it once')
    .requiredOption('--email <address>', 'the user’s email address')
    .requiredOption(
      '--role <role>',
      `for the operator's team: ${Object.keys(OPERATOR_ROLES).join(', ')}; for a merchant's team: ${Object.keys(MERCHANT_ROLES).join(', ')}`,
      readOneOf(ROLE_NAMES),
    )
    .option(...OF_TEAM)
    .requiredOption(...BECAUSE)
    .action(
      actionOf(context, async (call, { email, role, reason, ...team }: InviteOptions) => {
        const json = await call('invitations.create', { query: queryOf(team), body: { email, role, reason } });
        const until = humanIsoTime(json.invitation.expiresAt);
        return {
          json,
          human: `✓ Invited ${email} until ${until} UTC.\n  ${json.link}\n  The link works once, and is shown only once.`,
        };
      }),
    );
}

function queryOf({ merchant }: TeamOptions): { readonly merchantId?: string } {
  return merchant === undefined ? {} : { merchantId: merchant };
}

async function findPerson(call: CallApi, email: string, team: TeamOptions): Promise<{ readonly personId: string }> {
  const { items } = await call('people.list', { query: queryOf(team) });
  const found = items.find((member) => member.email === email.toLowerCase());
  if (found) return { personId: found.personId };
  throw new CommandFailure('The team does not have this member. "gateway person list" lists its members.');
}

function memberTable(members: readonly Member[]): string {
  const rows = members.map(({ personId, email, name, role, since, lastSeenAt }) => [
    personId,
    email,
    name,
    role,
    humanIsoTime(since),
    humanIsoTime(lastSeenAt),
  ]);
  return formatTable(['PERSON', 'E-MAIL', 'NAME', 'ROLE', 'SINCE', 'LAST SEEN'], rows, 'The team has no members yet.');
}
