/** Real TLS servers refuse the client's certificate. The tests state what each refusal proves about the request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { connect, type SecureVersion } from 'node:tls';
import { issue, makeAuthority } from '../../../../rail-simulators/src/kernel/certificates.ts';
import { ALERTS, type Refusal, startRefusingTlsServer } from '../../../test/support/servers/refusing-tls-server.ts';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { CertificateRefused, watchForRefusal } from './certificate-refusal.ts';
import { createProviderHttp, type ProviderReply, type TlsIdentity } from './provider-http.ts';

const authority = makeAuthority('A provider');
const own = issue(authority, 'provider', 'server', ['127.0.0.1']);
const known = issue(authority, 'gateway', 'client');
const identity = { cert: known.certificate, key: known.privateKey, ca: authority.certificate };
const BOTH: readonly Extract<SecureVersion, 'TLSv1.2' | 'TLSv1.3'>[] = ['TLSv1.2', 'TLSv1.3'];
/** So long that the server probably refuses the connection while the client writes the body. */
const LONG = 'x'.repeat(200_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function send(baseUrl: string, identify: () => TlsIdentity, body = 'pay'): Promise<ProviderReply> {
  const http = createProviderHttp({ baseUrl, connections: 1, identify });
  cleanups.push(() => http.close());
  return http.exchange({ verb: 'POST', path: '/payouts', headers: {}, body }, noDeadline());
}

/** A server of Node that requests a client certificate issued by its authority. */
async function askingServer(version: SecureVersion) {
  const requests: string[] = [];
  const tls = { cert: own.certificate, key: own.privateKey, ca: authority.certificate };
  const versions = { minVersion: version, maxVersion: version };
  const server = createServer(
    { ...tls, ...versions, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      requests.push(request.url ?? '');
      response.end('ok');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function refusing(refusal: Refusal) {
  const server = await startRefusingTlsServer(refusal);
  cleanups.push(() => server.close());
  return server;
}

const { internal_error: _, ...ABOUT_CERTIFICATES } = ALERTS;

describe('a refusal of our certificate in the handshake', () => {
  for (const version of BOTH)
    for (const alert of Object.keys(ABOUT_CERTIFICATES) as (keyof typeof ABOUT_CERTIFICATES)[])
      it(`a handshake alert ${alert} in ${version} proves that the provider read nothing and refuses our certificate`, async () => {
        const server = await refusing({ version, alert, when: 'in_handshake' });
        for (const body of ['pay', LONG]) {
          const reply = await send(server.url, () => server.identity, body);
          assert.ok(reply.kind === 'not_connected', JSON.stringify(reply));
          assert.equal(reply.isCertificateRefused, true);
          assert.match(
            reply.reason,
            new RegExp(`^the provider refuses our certificate: ERR_SSL_\\S+_${alert.toUpperCase()}$`),
          );
        }
        assert.deepEqual(server.read, []);
      });

  it('a TLS 1.3 provider that does not receive a certificate refuses our certificate', async () => {
    const { url, requests } = await askingServer('TLSv1.3');
    const reply = await send(url, () => ({ cert: '', key: '', ca: authority.certificate }));
    assert.deepEqual(reply, {
      kind: 'not_connected',
      reason: 'the provider refuses our certificate: ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      isCertificateRefused: true,
    });
    assert.deepEqual(requests, []);
  });

  it('a plain handshake failure in TLS 1.2 proves that the provider read nothing, but not that it refused a certificate', async () => {
    const { url, requests } = await askingServer('TLSv1.2');
    const reply = await send(url, () => ({ cert: '', key: '', ca: authority.certificate }));
    assert.deepEqual([reply.kind, 'isCertificateRefused' in reply], ['not_connected', false]);
    assert.deepEqual(requests, []);
  });
});

describe('a connection that fails without proof about our certificate or the request', () => {
  it('a certificate alert after the provider read the request leaves the outcome unknown', async () => {
    const server = await refusing({ version: 'TLSv1.3', alert: 'certificate_revoked', when: 'after_reading' });
    const reply = await send(server.url, () => server.identity);
    assert.deepEqual([reply.kind, 'isCertificateRefused' in reply], ['no_answer', true]);
    assert.match(server.read.join(''), /^POST \/payouts/);
  });

  it('a certificate alert in TLS 1.2 after the handshake does not prove that the provider read nothing', async () => {
    const { url } = await askingServer('TLSv1.2');
    const socket = connect({ ...identity, host: '127.0.0.1', port: Number(new URL(url).port) });
    cleanups.push(() => socket.destroy());
    await once(socket, 'secureConnect');
    watchForRefusal(socket);
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    socket.emit('error', Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }));
    await new Promise((resolve) => socket.once('close', resolve));
    const [, refused] = errors;
    assert.ok(refused instanceof CertificateRefused);
    assert.equal(refused.isNothingRead, false);
  });

  it('a close without a certificate alert is not treated as a refusal of our certificate', async () => {
    const server = await refusing({ version: 'TLSv1.3', alert: 'internal_error', when: 'in_handshake' });
    const stranger = issue(makeAuthority('Nobody'), 'gateway', 'client');
    const { url, requests } = await askingServer('TLSv1.3');
    const replies = [
      await send(server.url, () => server.identity),
      await send(url, () => ({ ...identity, cert: stranger.certificate, key: stranger.privateKey })),
    ];
    for (const reply of replies) assert.deepEqual([reply.kind, 'isCertificateRefused' in reply], ['no_answer', false]);
    assert.deepEqual(requests, []);
  });
});

describe('a provider with an untrusted certificate', () => {
  it('a provider with an untrusted certificate does not receive a request, and the reason contains the TLS error', async () => {
    const { url, requests } = await askingServer('TLSv1.3');
    const elsewhere = url.replace('127.0.0.1', 'localhost');
    const other = makeAuthority('Another').certificate;
    const replies = [await send(url, () => ({ ...identity, ca: other })), await send(elsewhere, () => identity)];
    assert.deepEqual(replies, [
      {
        kind: 'not_connected',
        reason: 'no connection: the gateway does not trust the provider’s certificate: SELF_SIGNED_CERT_IN_CHAIN',
      },
      {
        kind: 'not_connected',
        reason: 'no connection: the gateway does not trust the provider’s certificate: ERR_TLS_CERT_ALTNAME_INVALID',
      },
    ]);
    assert.deepEqual(requests, []);
  });
});

describe('a provider that accepts our certificate', () => {
  for (const version of BOTH)
    it(`a provider that accepts our certificate receives the request in ${version}`, async () => {
      const { url, requests } = await askingServer(version);
      assert.equal((await send(url, () => identity, LONG)).kind, 'answered');
      assert.deepEqual(requests, ['/payouts']);
    });
});
