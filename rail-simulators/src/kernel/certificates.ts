/**
 * A simulator's own certificate authority: its root, and the certificates for itself and its client. Written by hand,
 * because node:crypto reads X.509 and signs any bytes but creates no certificates, and the libraries that do have a dozen
 * dependencies. It creates only what mutual TLS checks. OpenSSL verifies it through node:crypto and node:tls. For
 * simulators only: the certificates expire decades from now.
 */
import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, der, isTrue, objectId, octets, positive, sequence, set, utcTime, utf8 } from './der.ts';

/** PEM texts. */
export interface Certified {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface Authority extends Certified {
  /** The issuer's name in its certificates. */
  readonly name: string;
  readonly key: KeyObject;
}

export type Purpose = 'server' | 'client';

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
const commonName = objectId('2.5.4.3');
const validity = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));
const purposes: Readonly<Record<Purpose, string>> = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

export function makeAuthority(name: string): Authority {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return authorityOf(
    name,
    key,
    certify({ subject: name, subjectKey: key, issuer: name, issuerKey: key, extensions: ofAuthority }),
  );
}

/** An authority from an existing key and certificate. */
export function authorityOf(name: string, key: KeyObject, certificate: string): Authority {
  return { name, key, certificate, privateKey: pemOfKey(key) };
}

/** A new key and its certificate. `hosts`: the server's names and addresses. */
export function issue(
  authority: Authority,
  subject: string,
  purpose: Purpose,
  hosts: readonly string[] = [],
): Certified {
  const { privateKey: subjectKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = ofLeaf(purpose, hosts);
  const certificate = certify({ subject, subjectKey, issuer: authority.name, issuerKey: authority.key, extensions });
  return { certificate, privateKey: pemOfKey(subjectKey) };
}

interface CertificateParts {
  readonly subject: string;
  readonly subjectKey: KeyObject;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly extensions: Buffer;
}

function certify({ subject, subjectKey, issuer, issuerKey, extensions }: CertificateParts): string {
  const publicKey = createPublicKey(subjectKey).export({ type: 'spki', format: 'der' });
  const unsigned = sequence(
    der(0xa0, positive(Buffer.from([2]))),
    // Derived from the key, so it is unique without a clock or randomness.
    positive(Buffer.from([1, ...hash('sha256', publicKey, 'buffer').subarray(0, 15)])),
    ecdsaWithSha256,
    nameOf(issuer),
    validity,
    nameOf(subject),
    publicKey,
    der(0xa3, extensions),
  );
  return pem(sequence(unsigned, ecdsaWithSha256, bits(sign('sha256', unsigned, issuerKey))));
}

const nameOf = (text: string): Buffer => sequence(set(sequence(commonName, utf8(text))));

function extension(id: string, isCritical: boolean, content: Buffer): Buffer {
  return sequence(objectId(id), ...(isCritical ? [isTrue] : []), octets(content));
}

/** Permits the signing of certificates and revocation lists. */
const ofAuthority = sequence(
  extension('2.5.29.19', true, sequence(isTrue)),
  extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
);

function ofLeaf(purpose: Purpose, hosts: readonly string[]): Buffer {
  return sequence(
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.15', true, bits(Buffer.from([0b1000_0000]), 7)),
    extension('2.5.29.37', false, sequence(objectId(purposes[purpose]))),
    ...(hosts.length === 0 ? [] : [extension('2.5.29.17', false, sequence(...hosts.map(hostName)))]),
  );
}

function hostName(host: string): Buffer {
  return isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host, 'ascii'));
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function pemOfKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
