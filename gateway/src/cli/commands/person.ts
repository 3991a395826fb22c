/** `gateway person …`: people, for the first administrator and for emergencies. None of it needs a second person. */
import type { Command } from 'commander';
import { MERCHANT_ROLES, OPERATOR_ROLES } from '../../../contract/permissions.ts';
import type { Member } from '../../domain/people/person.ts';
import type { TeamRefusal } from '../../domain/people/team.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, humanTime, jsonTime } from '../command-output.ts';

interface InviteOptions {
  readonly email: string;
  readonly role: string;
  readonly merchant?: string;
}

interface TeamOptions {
  readonly merchant?: string;
}

const OF_TEAM = ['--merchant <merchant>', 'the team of this merchant; by default the operator’s'] as const;

export function addPersonCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'person', 'list, invite, remove and reset people');
  addCommand(group, 'list', 'list the people of a team with their roles')
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (open, { merchant }: TeamOptions) => {
        const members = await (await open()).people.members(merchant ?? null);
        return { json: members.map(memberJson), human: memberTable(members) };
      }),
    );
  addCommand(group, 'invite', 'make a single-use link for a new person; show it once')
    .requiredOption('--email <address>', 'the e-mail address of the person')
    .requiredOption(
      '--role <role>',
      `of the operator: ${Object.keys(OPERATOR_ROLES).join(', ')}; of a merchant: ${Object.keys(MERCHANT_ROLES).join(', ')}`,
    )
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (open, { email, role, merchant }: InviteOptions) => {
        const invited = await (await open()).people.invite({ email, role, merchantId: merchant ?? null });
        if (!invited.ok) throw refused(invited.error);
        const { link, mailed, invitation } = invited.value;
        return {
          json: { link: link.reveal(), mailed, expires_at: jsonTime(invitation.expiresAt) },
          human: `✓ ${email} may join until ${humanTime(invitation.expiresAt)} UTC.\n  ${link.reveal()}\n  The link works once, and is shown this once.`,
        };
      }),
    );
  addCommand(group, 'remove <email>', 'remove a person from a team; their sessions there end at once')
    .option(...OF_TEAM)
    .action(
      actionOf(context, async (open, email: string, { merchant }: TeamOptions) => {
        const removed = await (await open()).people.remove(email, merchant ?? null);
        if (!removed.ok) throw refused(removed.error);
        return { json: { removed: true }, human: `✓ ${email} is removed.` };
      }),
    );
  addCommand(group, 'reset <email>', 'make a single-use link that replaces all credentials of a person').action(
    actionOf(context, async (open, email: string) => {
      const reset = await (await open()).people.reset(email);
      if (!reset.ok) throw refused(reset.error);
      const link = reset.value.reveal();
      return { json: { link }, human: `✓ Give this link to ${email}. It works once, for 48 hours.\n  ${link}` };
    }),
  );
}

const REFUSALS: Readonly<Partial<Record<TeamRefusal, string>>> = {
  merchant_not_found: 'There is no such merchant: see "gateway merchant list"',
  no_such_role: 'The team has no such role. The operator and merchants have different ones.',
  invalid_email: 'This is no e-mail address',
  not_a_member: 'The team has no such person: see "gateway person list"',
  already_a_member: 'This person is in the team',
  last_of_its_role: 'The team would have nobody left who can manage it. Invite another person for the role first.',
};

function refused(refusal: TeamRefusal): CommandFailure {
  return new CommandFailure(REFUSALS[refusal] ?? `The gateway rejects this: ${refusal}`);
}

function memberJson({ personId, email, name, role, since, lastSeenAt }: Member) {
  return { person_id: personId, email, name, role, since: jsonTime(since), last_seen_at: jsonTime(lastSeenAt) };
}

function memberTable(members: readonly Member[]): string {
  const rows = members.map(({ personId, email, name, role, since, lastSeenAt }) => [
    ...[personId, email, name, role, humanTime(since), humanTime(lastSeenAt)],
  ]);
  return formatTable(['PERSON', 'E-MAIL', 'NAME', 'ROLE', 'SINCE', 'LAST SEEN'], rows, 'The team has nobody yet.');
}
