/** The parts of the commands about users, and the audit entries that they write themselves. */

import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { ActStore } from '../audit/act-store.ts';
import type { Actor } from '../audit/actor.ts';
import { OPERATOR_MERCHANT } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { SignInWay } from './caller.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { Person } from './person.ts';
import type { IdentityProvider } from './sign-in/identity-provider.ts';
import type { SignParts } from './sign-in/person-signature.ts';
import type { Client, SessionParts } from './sign-in/session.ts';

export interface PeopleParts extends SignParts, SessionParts {
  readonly invitations: InvitationStore;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly acts: Pick<ActStore, 'record'>;
  readonly mail: Mailer;
  /** Null if no identity provider is configured. */
  readonly identityProvider: IdentityProvider | null;
  readonly site: Site;
  /** Returns the hash of the action that a user confirms. It is keyed, because the action may contain a card number. */
  readonly fingerprint: (text: Secret) => Buffer;
  /** Runs `work` in one database transaction, which a failure rolls back. */
  readonly together: <Value, Failure>(
    work: (parts: PeopleParts) => Promise<Result<Value, Failure>>,
  ) => Promise<Result<Value, Failure>>;
}

/** The parts that read and write one database, or one transaction of it. */
export type PeopleStores = Pick<
  PeopleParts,
  'acts' | 'people' | 'sessions' | 'challenges' | 'lockouts' | 'invitations' | 'together'
>;

/** The portal and the API, as a browser reaches them. */
export interface Site {
  /** The name that devices and apps show. */
  readonly name: string;
  readonly origin: string;
}

/** Resolves to false if the message was not sent. The gateway shows an invitation to its inviter in any case. */
export type Mailer = (message: {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}) => Promise<boolean>;

/** The client of a request without a session, or of one that changes the session. */
export interface Visit extends Client {
  readonly requestId: string;
}

interface PeopleEvent {
  readonly act: 'sign-in' | 'link' | 'reset' | 'invitation' | 'removal';
  readonly phase: 'done' | 'rejected';
  readonly actor: Actor;
  /** Null for the operator’s chain. */
  readonly merchantId: MerchantId | null;
  readonly object: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function recordEvent(
  { acts, clock, random }: Pick<PeopleParts, 'acts' | 'clock' | 'random'>,
  visit: Visit | null,
  { merchantId, detail, ...event }: PeopleEvent,
): Promise<void> {
  return acts.record({
    ...event,
    merchantId: merchantId ?? OPERATOR_MERCHANT,
    at: clock.now(),
    actId: random.uuid(),
    address: visit?.address ?? null,
    requestId: visit?.requestId ?? '',
    reason: null,
    detail: JSON.stringify(detail),
  });
}

export function actorOf({ personId, email }: Pick<Person, 'personId' | 'email'>): Actor {
  return { kind: 'person', id: personId, name: email };
}

/** Returns the actor of a user who has proved nothing. The name is the claimed one, if any. */
export function visitorAt({ address }: Client, claimed = ''): Actor {
  return { kind: 'visitor', id: address, name: claimed.slice(0, 254) };
}

/** The log contains each failed sign-in, with the email address that the visitor claimed. */
export function recordFailedSignIn(
  parts: Pick<PeopleParts, 'acts' | 'clock' | 'random'>,
  visit: Visit,
  way: SignInWay,
  claimed = '',
): Promise<void> {
  const actor = visitorAt(visit, claimed);
  return recordEvent(parts, visit, {
    act: 'sign-in',
    phase: 'rejected',
    actor,
    merchantId: null,
    object: 'sign-in',
    detail: { way },
  });
}
