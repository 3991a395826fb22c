/**
 * A provider's TLS edge that refuses the client's certificate with an alert of the test's choice. Node's own server closes the
 * connection without an alert, so this file writes the alert with the keys that Node logs. `in_handshake` sends it instead of
 * data after the server's first flight, as servers that verify certificates do. `after_reading` sends it after the request was
 * read, which no server should do.
 */
import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { type SecureVersion, TLSSocket } from 'node:tls';
import { issue, makeAuthority } from '../../../../rail-simulators/src/kernel/certificates.ts';
import type { TlsIdentity } from '../../../src/rails/kit/provider-http.ts';

/** The alerts with their numbers from RFC 8446 §6.2. */
export const ALERTS = {
  bad_certificate: 42,
  unsupported_certificate: 43,
  certificate_revoked: 44,
  certificate_expired: 45,
  certificate_unknown: 46,
  unknown_ca: 48,
  access_denied: 49,
  internal_error: 80,
  certificate_required: 116,
} as const;

export interface Refusal {
  readonly version: Extract<SecureVersion, 'TLSv1.2' | 'TLSv1.3'>;
  readonly alert: keyof typeof ALERTS;
  /** `after_reading` works only in TLS 1.3. */
  readonly when: 'in_handshake' | 'after_reading';
}

export interface RefusingTlsServer {
  readonly url: string;
  /** The certificate files of a client that connects to it. */
  readonly identity: Required<TlsIdentity> & { readonly ca: string };
  /** The current refusal. A test may change it. */
  refusal: Refusal;
  /** The plaintext that it received within TLS. */
  readonly read: string[];
  close(): Promise<void>;
}

export async function startRefusingTlsServer(refusal: Refusal): Promise<RefusingTlsServer> {
  const authority = makeAuthority('A provider that refuses');
  const own = issue(authority, 'provider', 'server', ['127.0.0.1']);
  const client = issue(authority, 'gateway', 'client');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    refuse(socket, { cert: own.certificate, key: own.privateKey, ca: authority.certificate }, started);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: RefusingTlsServer = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity: { cert: client.certificate, key: client.privateKey, ca: authority.certificate },
    refusal,
    read: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

/** One cipher per version, so that the alert can be encrypted. */
const CIPHERS = 'TLS_AES_128_GCM_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256';

function refuse(socket: Socket, identity: object, { refusal, read }: RefusingTlsServer): void {
  const { version, alert, when } = refusal;
  const [near, far] = duplexPair();
  const versions = { minVersion: version, maxVersion: version, ciphers: CIPHERS };
  const tls = new TLSSocket(near, {
    ...identity,
    ...versions,
    isServer: true,
    requestCert: true,
    rejectUnauthorized: false,
  });
  let secret = Buffer.alloc(0);
  let flights = 0;
  let recordsUnderSecret = 0;
  let isRefused = false;
  const sayNo = () => {
    isRefused = true;
    const message = Buffer.from([2, ALERTS[alert]]);
    socket.end(
      version === 'TLSv1.2' ? Buffer.from([21, 3, 3, 0, 2, ...message]) : sealed(message, secret, recordsUnderSecret),
    );
  };
  tls.on('error', () => {});
  tls.on('keylog', (line: Buffer) => {
    const [, hex] = /^SERVER_TRAFFIC_SECRET_0 \S+ (\S+)/.exec(line.toString()) ?? [];
    if (hex !== undefined) secret = Buffer.from(hex, 'hex');
  });
  tls.on('data', (chunk: Buffer) => {
    read.push(chunk.toString());
    // Send it after the session tickets, which are already being sent.
    setImmediate(sayNo);
  });
  far.on('data', (chunk: Buffer) => {
    if (isRefused) return;
    if (flights > 1) recordsUnderSecret += recordsIn(chunk);
    socket.write(chunk);
  });
  socket.on('data', (chunk: Buffer) => {
    flights += 1;
    if (isRefused) return;
    if (flights > 1 && when === 'in_handshake') sayNo();
    else far.write(chunk);
  });
}

function recordsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) count += 1;
  return count;
}

/** Returns a TLS 1.3 record (RFC 8446 §5.2, §5.3, §7.3) with AES-128-GCM and the given sequence number. */
function sealed(message: Buffer, secret: Buffer, sequence: number): Buffer {
  const iv = expandLabel(secret, 'iv', 12);
  iv.writeUInt8(iv.readUInt8(11) ^ sequence, 11);
  const content = Buffer.from([...message, 21]);
  const head = Buffer.from([23, 3, 3, 0, content.length + 16]);
  const cipher = createCipheriv('aes-128-gcm', expandLabel(secret, 'key', 16), iv).setAAD(head);
  return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function expandLabel(secret: Buffer, label: string, length: number): Buffer {
  const named = Buffer.from(`tls13 ${label}`);
  const info = Buffer.from([0, length, named.length, ...named, 0, 1]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}
