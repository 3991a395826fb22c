/** The parts of the commands about users, and the invitation of the first administrator. */
import { roleOf } from '../../../contract/permissions.ts';
import type { ActorNames } from '../../domain/audit/actor.ts';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { type PeopleParts, type PeopleStores, recordEvent } from '../../domain/people/people-parts.ts';
import { totpKeyFrom } from '../../domain/people/sign-in/totp.ts';
import { invitePerson, keptRoleOf } from '../../domain/people/team/team.ts';
import { createPasskeyVerifier } from '../../protocol/manage/callers/passkey-verifier.ts';
import { RAILS } from '../../rails/registry.ts';
import { createActStore } from '../../storage/audit/act-store.ts';
import type { Database } from '../../storage/core/database.ts';
import { commitIf, nestDatabase } from '../../storage/core/nested-database.ts';
import { createChallengeStore } from '../../storage/people/challenge-store.ts';
import { createInvitationStore } from '../../storage/people/invitation-store.ts';
import { createLockoutStore } from '../../storage/people/lockout-store.ts';
import { createPeopleStore } from '../../storage/people/people-store.ts';
import { createSessionStore } from '../../storage/people/session-store.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createMailer } from '../people/mailer.ts';
import { createIdentityProvider } from '../people/openid-provider.ts';
import type { GatewayCore } from './gateway-core.ts';

export function createPeopleParts(core: GatewayCore, { onProblem }: Pick<Hooks, 'onProblem'>): PeopleParts {
  const { config, clock, random, database, directory: merchants, fingerprintKey, vault } = core;
  const { openid, manageOrigin, environment } = config;
  const site = { name: 'Payment gateway', origin: manageOrigin };
  const over: Omit<PeopleParts, keyof PeopleStores> = {
    clock,
    random,
    merchants,
    site,
    fingerprint: vault.fingerprint,
    totpKey: totpKeyFrom(fingerprintKey),
    verifier: createPasskeyVerifier(site),
    mail: createMailer(config.mail, onProblem),
    identityProvider: openid && createIdentityProvider({ openid, manageOrigin, environment }),
    permissionsOf(merchantId, role) {
      const found = roleOf(merchantId, role);
      return found && new Set(found.permissions);
    },
  };
  return peopleOver(over, database);
}

/** Returns the same parts over another database, such as one inside a transaction. */
export function peopleOver(parts: Omit<PeopleParts, keyof PeopleStores>, database: Database): PeopleParts {
  return {
    ...parts,
    acts: createActStore(database),
    people: createPeopleStore(database),
    sessions: createSessionStore(database),
    challenges: createChallengeStore(database),
    lockouts: createLockoutStore(database),
    invitations: createInvitationStore(database),
    together: (work) =>
      commitIf(database, async (transaction) => {
        const value = await work(peopleOver(parts, nestDatabase(transaction)));
        return { keep: value.ok, value };
      }),
  };
}

/** The names of actors that are neither users nor programs. The empty name is a visitor's. */
const PARTS = ['', 'gateway', 'merchant', 'payer', ...Object.values(RAILS).map(({ name }) => name)];

export function createActorNames({ acts, tokens }: Pick<GatewayCore, 'acts' | 'tokens'>): ActorNames {
  return async (merchantId) => {
    const [people, programs] = await Promise.all([acts.joined(merchantId), tokens.names(merchantId)]);
    return new Set([...PARTS, ...people, ...programs]);
  };
}

const GATEWAY: Pick<Caller, 'actor' | 'permissions'> = {
  actor: { kind: 'emergency', id: 'gateway', name: 'start of the gateway' },
  permissions: null,
};

export function peopleOperations(parts: PeopleParts): Omit<GatewayOperations['people'], 'actorNames'> {
  const invite: GatewayOperations['people']['invite'] = async (order) => {
    const invited = await invitePerson(parts, GATEWAY, order);
    if (!invited.ok) return invited;
    const { invitationId, email, role } = invited.value.invitation;
    await recordEvent(parts, null, {
      act: 'invitation',
      phase: 'done',
      actor: GATEWAY.actor,
      merchantId: order.merchantId,
      object: `invitations/${invitationId}`,
      detail: { email, role },
    });
    return invited;
  };
  return {
    invite,
    async firstAdministrator() {
      const role = keptRoleOf(null);
      if (await parts.invitations.hasOperator(role, parts.clock.now())) return undefined;
      const invited = await invite({ email: null, merchantId: null, role });
      return invited.ok ? invited.value.link : undefined;
    },
  };
}
