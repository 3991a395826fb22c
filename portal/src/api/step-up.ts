/** Passkeys in the browser: signing in, adding a passkey, and confirming exactly one action. */
import type { EndpointName, Endpoints } from '../../../gateway/contract/endpoints.ts';
import type { ParamsOf } from '../../../gateway/contract/parts/endpoint.ts';
import type { RegisterChallenge, SignChallenge, StepUpProof } from '../../../gateway/contract/parts/passkey-parts.ts';
import { type Answer, type Call, call } from './client.ts';

/** A passkey's response in the form that the API accepts. The browser’s own types are wider. */
type SignedIn = Parameters<typeof call<'signIn.passkey'>>[1] extends { body?: infer Body } ? Body : never;
type Assertion = NonNullable<SignedIn>['assertion'];
type Attestation = NonNullable<Call<'passkeys.add'>['body']>['attestation'];

/** Throws DOMException if the user cancels, or if no device has a passkey. */
async function signChallenge({ publicKey }: SignChallenge): Promise<Assertion> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as never);
  const credential = (await navigator.credentials.get({ publicKey: options })) as PublicKeyCredential;
  return credential.toJSON() as unknown as Assertion;
}

export async function createPasskey({ publicKey }: RegisterChallenge): Promise<Attestation> {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey as never);
  const credential = (await navigator.credentials.create({ publicKey: options })) as PublicKeyCredential;
  return credential.toJSON() as unknown as Attestation;
}

export async function signInByPasskey(): Promise<Answer<'signIn.passkey'>> {
  const challenge = await call('signIn.challenge');
  const assertion = await signChallenge(challenge);
  return call('signIn.passkey', { body: { challengeId: challenge.challengeId, assertion } });
}

export async function acceptLink(secret: string, name: string, email: string | undefined, passkeyName: string) {
  const challenge = await call('links.challenge', { body: { secret } });
  const attestation = await createPasskey(challenge);
  const { challengeId } = challenge;
  const given = email === undefined ? {} : { email };
  return call('links.accept', { body: { secret, challengeId, attestation, name, passkeyName, ...given } });
}

/** Returns the header that confirms exactly this action with a passkey. */
export async function confirmByPasskey<Name extends EndpointName>(
  endpoint: Name,
  { params, query, body }: Pick<Call<Name>, 'params' | 'query' | 'body'>,
): Promise<string> {
  const named = Object.fromEntries(
    Object.entries((params ?? {}) as ParamsOf<Endpoints[Name]>).map(([key, value]) => [key, String(value)]),
  );
  const challenge = await call('session.stepUp', {
    body: { endpoint, params: named, query: { ...query }, ...(body === undefined ? {} : { body }) },
  });
  return headerOf({ challengeId: challenge.challengeId, assertion: await signChallenge(challenge) });
}

/** Returns the header that confirms an action with a code of the authenticator app. */
export const confirmByCode = (code: string): string => headerOf({ code });

function headerOf(proof: StepUpProof): string {
  return btoa(JSON.stringify(proof)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
