import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { StartupFault } from '../startup-fault.ts';
import { openCertificateFolder } from './certificate-folder.ts';
import { type Authority, type Certified, issue, makeAuthority } from './certificates.ts';

const authority = makeAuthority('A root');

describe('a certificate of the simulated authority', () => {
  it('OpenSSL accepts a simulated certificate, signed by the root, for its key and its hosts', () => {
    const server = issue(authority, 'bank', 'server', ['localhost', '127.0.0.1']);
    const root = new X509Certificate(authority.certificate);
    const certificate = new X509Certificate(server.certificate);
    assert.ok(root.ca && root.checkIssued(root) && root.verify(root.publicKey));
    assert.ok(!certificate.ca && certificate.checkIssued(root) && certificate.verify(root.publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(server.privateKey)));
    assert.deepEqual([certificate.subject, certificate.issuer], ['CN=bank', 'CN=A root']);
    assert.equal(certificate.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1');
    assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  it('each simulated certificate has a different serial number', () => {
    const numbers = Array.from({ length: 20 }, () => issue(authority, 'c', 'client').certificate);
    assert.equal(new Set(numbers.map((pem) => new X509Certificate(pem).serialNumber)).size, 20);
  });
});

/**
 * Resolves to the status of a request to a server that requires client certificates from the authority, or to the code of the
 * failure.
 */
async function connect(t: TestContext, trusted: Authority, client: Partial<Certified>): Promise<number | string> {
  const { certificate: cert, privateKey: key } = issue(authority, 'bank', 'server', ['127.0.0.1']);
  const tls = { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true };
  const server = createServer(tls, (_request, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, ca: trusted.certificate, cert: client.certificate, key: client.privateKey })
      .on('response', ({ statusCode = 0 }) => resolve(statusCode))
      .on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
      .end();
  });
}

describe('mutual TLS with simulated certificates', () => {
  it('mutual TLS accepts a client with a certificate of the authority', async (t) =>
    assert.equal(await connect(t, authority, issue(authority, 'client', 'client')), 200));

  it('mutual TLS rejects a client without a valid client certificate', async (t) => {
    const other = makeAuthority('A root');
    assert.equal(typeof (await connect(t, authority, {})), 'string');
    assert.equal(typeof (await connect(t, authority, issue(other, 'client', 'client'))), 'string');
    assert.equal(typeof (await connect(t, authority, issue(authority, 'client', 'server'))), 'string');
  });

  it('a client that trusts another authority refuses the simulator’s certificate', async (t) => {
    const answer = await connect(t, makeAuthority('A root'), issue(authority, 'client', 'client'));
    assert.equal(typeof answer, 'string');
  });
});

describe('the certificate directory of a simulator', () => {
  it('the certificate directory keeps its files over a restart', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const names = ['ca.pem', 'ca-key.pem', 'client-certificate.pem', 'client-key.pem'];
    const contents = () => names.map((name) => readFileSync(join(folder, name), 'utf8'));
    const first = openCertificateFolder(folder, 'Bank simulator', 'gateway');
    const before = contents();
    const again = openCertificateFolder(folder, 'Bank simulator', 'gateway');
    assert.deepEqual(contents(), before);
    const later = new X509Certificate(issue(again, 'bank', 'server').certificate);
    assert.ok(later.verify(new X509Certificate(first.certificate).publicKey));
  });

  it('a simulator with an unusable certificate directory fails at startup with one sentence', () =>
    assert.throws(() => openCertificateFolder('/dev/null/bank', 'Bank simulator', 'gateway'), StartupFault));
});
