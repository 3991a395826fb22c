/** Users for tests of the management API, invited on the command line, with a software passkey. */
import assert from 'node:assert/strict';
import type { EndpointName, Endpoints } from '../../../contract/endpoints.ts';
import { ORIGIN, type RunningGateway } from '../gateway/running-gateway.ts';
import { clientWith, type ManageAnswer, type ManageCall, type ManageClient } from './manage-client.ts';
import { createSoftwarePasskey, type SoftwarePasskey } from './software-passkey.ts';

export interface TestPerson extends ManageClient {
  readonly email: string;
  readonly personId: string;
  readonly passkey: SoftwarePasskey;
  /** The session's `Cookie` header. */
  readonly cookie: string;
  /** Performs an action that needs a passkey confirmation. */
  confirm<Name extends EndpointName>(
    name: Name,
    call?: ManageCall<Endpoints[Name]>,
  ): Promise<ManageAnswer<Endpoints[Name]>>;
}

/** A browser on the gateway's pages without a session. */
export function visitor(gateway: RunningGateway, headers: Readonly<Record<string, string>> = {}): ManageClient {
  const own = { 'x-gateway-client': 'test', origin: ORIGIN, 'sec-fetch-site': 'same-origin', ...headers };
  const client = clientWith(gateway.manageUrl, null);
  return { call: (name, call = {}) => client.call(name, { ...call, headers: { ...own, ...call.headers } }) };
}

export function cookieOf({ headers }: { readonly headers: Headers }): string {
  const [set] = headers.getSetCookie();
  assert.ok(set, 'the answer sets a cookie');
  return set.split(';')[0] ?? '';
}

export const secretOfLink = (link: string) => link.slice(link.indexOf('#') + 1);

/** Invites a user with the operator's command, and accepts the link. If `merchantId` is null, the user joins the operator. */
export async function addPerson(
  gateway: RunningGateway,
  role: string,
  { merchantId = null, email }: { readonly merchantId?: string | null; readonly email: string },
): Promise<TestPerson> {
  const invited = await gateway.operations.people.invite({ email, merchantId, role });
  assert.ok(invited.ok, JSON.stringify(invited));
  return acceptLink(gateway, secretOfLink(invited.value.link.reveal()), email);
}

export async function acceptLink(gateway: RunningGateway, secret: string, email: string): Promise<TestPerson> {
  const passkey = createSoftwarePasskey(ORIGIN);
  const { challengeId, publicKey } = (await visitor(gateway).call('links.challenge', { body: { secret } })).value();
  const accepted = await visitor(gateway).call('links.accept', {
    body: { secret, challengeId, attestation: passkey.create(publicKey), name: email, email, passkeyName: 'a device' },
  });
  const { personId } = accepted.value();
  return personWith(gateway, { email, personId, passkey, cookie: cookieOf(accepted) });
}

export function personWith(
  gateway: RunningGateway,
  person: Pick<TestPerson, 'email' | 'personId' | 'passkey' | 'cookie'>,
): TestPerson {
  const client = visitor(gateway, { cookie: person.cookie });
  return {
    ...person,
    call: client.call,
    async confirm(name, call = {}) {
      const header = await proofOf(client, person.passkey, name, call);
      return client.call(name, { ...call, headers: { ...call.headers, 'step-up': header } });
    },
  };
}

/** Returns the header that confirms exactly this action. */
export async function proofOf(
  client: ManageClient,
  passkey: SoftwarePasskey,
  endpoint: EndpointName,
  { params = {}, query = {}, body }: ManageCall<never>,
): Promise<string> {
  const stepUp = { endpoint, params, query, ...(body === undefined ? {} : { body }) };
  const { challengeId, publicKey } = (await client.call('session.stepUp', { body: stepUp })).value();
  return writeProof({ challengeId, assertion: passkey.get(publicKey) });
}

export const writeProof = (proof: object) => Buffer.from(JSON.stringify(proof)).toString('base64url');

/** Opens a new session of the user with the passkey. */
export async function signIn(gateway: RunningGateway, person: TestPerson): Promise<TestPerson> {
  const { challengeId, publicKey } = (await visitor(gateway).call('signIn.challenge')).value();
  const body = { challengeId, assertion: person.passkey.get(publicKey) };
  const signedIn = await visitor(gateway).call('signIn.passkey', { body });
  signedIn.value();
  return personWith(gateway, { ...person, cookie: cookieOf(signedIn) });
}
