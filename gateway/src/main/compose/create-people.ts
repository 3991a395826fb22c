/** People: what their commands touch, and the operations of the command line. */
import { roleOf } from '../../../contract/permissions.ts';
import type { PeopleOperations } from '../../domain/management/people-operations.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { type PeopleParts, recordEvent } from '../../domain/people/people-parts.ts';
import { readEmail } from '../../domain/people/person.ts';
import { changeRole, invitePerson, keptRoleOf, orderReset } from '../../domain/people/team.ts';
import { totpKeyFrom } from '../../domain/people/totp.ts';
import { fail, ok } from '../../foundation/result.ts';
import { createPasskeyVerifier } from '../../protocol/manage/passkey-verifier.ts';
import { createChallengeStore, createTryStore } from '../../storage/people/challenge-store.ts';
import { createInvitationStore } from '../../storage/people/invitation-store.ts';
import { createPeopleStore } from '../../storage/people/people-store.ts';
import { createSessionStore } from '../../storage/people/session-store.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createMailer } from '../people/mailer.ts';
import { createIdentityProvider } from '../people/openid-provider.ts';
import type { GatewayCore } from './open-core.ts';

export function createPeopleParts(core: GatewayCore, { onProblem }: Pick<Hooks, 'onProblem'>): PeopleParts {
  const { config, clock, random, database, acts, directory: merchants, fingerprintKey } = core;
  const { openid, manageOrigin, environment } = config;
  const site = { name: 'Payment gateway', origin: manageOrigin };
  return {
    ...{ clock, random, acts, merchants, site },
    people: createPeopleStore(database),
    sessions: createSessionStore(database),
    challenges: createChallengeStore(database),
    tries: createTryStore(database),
    invitations: createInvitationStore(database),
    totpKey: totpKeyFrom(fingerprintKey),
    verifier: createPasskeyVerifier(site),
    mail: createMailer(config.mail, onProblem),
    identityProvider: openid && createIdentityProvider({ openid, manageOrigin, environment }),
    permissionsOf(merchantId, role) {
      const found = roleOf(merchantId, role);
      return found && new Set(found.permissions);
    },
  };
}

const COMMAND_LINE: Pick<Caller, 'actor' | 'permissions'> = {
  actor: { kind: 'emergency', id: 'shell', name: 'command line' },
  permissions: null,
};

export function peopleOperations(parts: PeopleParts): PeopleOperations {
  const record = (object: string, merchantId: string | null, act: 'invitation' | 'removal' | 'reset', detail: object) =>
    recordEvent(parts, null, {
      ...{ act, phase: 'done', actor: COMMAND_LINE.actor, merchantId, object, detail: { ...detail } },
    });
  const findPerson = (email: string) => parts.people.findByEmail(readEmail(email) ?? '');
  const invite: PeopleOperations['invite'] = async (order) => {
    const invited = await invitePerson(parts, COMMAND_LINE, order);
    if (!invited.ok) return invited;
    const { invitationId, email, role } = invited.value.invitation;
    await record(`invitations/${invitationId}`, order.merchantId, 'invitation', { email, role });
    return invited;
  };
  return {
    members: parts.people.members,
    invite,
    async remove(email, merchantId) {
      const person = await findPerson(email);
      if (!person) return fail('not_a_member');
      const removed = await changeRole(parts, COMMAND_LINE, { personId: person.personId, merchantId, role: null });
      if (removed.ok) await record(`people/${person.personId}`, merchantId, 'removal', { email });
      return removed;
    },
    async reset(email) {
      const person = await findPerson(email);
      if (!person) return fail('not_a_member');
      const { link } = await orderReset(parts, COMMAND_LINE, person);
      await record(`people/${person.personId}`, null, 'reset', { email });
      return link ? ok(link) : fail('not_a_member');
    },
    async firstAdministrator() {
      const role = keptRoleOf(null);
      if (await parts.invitations.hasOperator(role, parts.clock.now())) return undefined;
      const invited = await invite({ email: null, merchantId: null, role });
      return invited.ok ? invited.value.link : undefined;
    },
  };
}
