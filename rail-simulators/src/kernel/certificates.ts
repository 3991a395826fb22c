/**
 * A simulator's certificate authority: its root, and the certificates of the simulator and its client. It creates only what
 * mutual TLS checks, through node:crypto and node:tls. For simulators only: the certificates are valid for decades.
 */
import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** The certificate and its key as PEM. */
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

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const PURPOSES: Readonly<Record<Purpose, string>> = { server: id_kp_serverAuth, client: id_kp_clientAuth };

export function makeAuthority(name: string): Authority {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return authorityOf(
    name,
    key,
    certify({ subject: name, subjectKey: key, issuer: name, issuerKey: key, extensions: OF_AUTHORITY }),
  );
}

/** Returns an authority with an existing key and certificate. */
export function authorityOf(name: string, key: KeyObject, certificate: string): Authority {
  return { name, key, certificate, privateKey: pemOfKey(key) };
}

/** Returns a new key and its certificate. `hosts` are the server's names and addresses. */
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
  readonly extensions: readonly Extension[];
}

function certify({ subject, subjectKey, issuer, issuerKey, extensions }: CertificateParts): string {
  const publicKey = createPublicKey(subjectKey).export({ type: 'spki', format: 'der' });
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    // Derived from the key, so it is unique without a clock or random numbers.
    serialNumber: bytes(Buffer.from([1, ...hash('sha256', publicKey, 'buffer').subarray(0, 15)])),
    signature: signatureAlgorithm,
    issuer: nameOf(issuer),
    validity: new Validity({ notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2049-12-31T23:59:59Z') }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const signed = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signatureValue = bytes(sign('sha256', signed, issuerKey));
  return pem(
    Buffer.from(AsnConvert.serialize(new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue }))),
  );
}

function nameOf(text: string): Name {
  const commonName = new AttributeTypeAndValue({ type: COMMON_NAME, value: new AttributeValue({ utf8String: text }) });
  return new Name([new RelativeDistinguishedName([commonName])]);
}

function extension(extnID: string, critical: boolean, content: object): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(content)) });
}

/** Permits signing certificates and revocation lists. */
const OF_AUTHORITY = [
  extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: true })),
  extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)),
];

function ofLeaf(purpose: Purpose, hosts: readonly string[]): readonly Extension[] {
  const names = hosts.map((host) => new GeneralName(isIP(host) === 0 ? { dNSName: host } : { iPAddress: host }));
  return [
    extension(id_ce_basicConstraints, true, new BasicConstraints()),
    extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.digitalSignature)),
    extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([PURPOSES[purpose]])),
    ...(names.length === 0 ? [] : [extension(id_ce_subjectAltName, false, new SubjectAlternativeName(names))]),
  ];
}

/** Copies the bytes, without the rest of a pooled buffer. */
function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function pemOfKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
