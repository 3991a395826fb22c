/**
 * The folder with the files that a simulator's client needs: the root certificate, and the client's certificate and key. They
 * survive a restart, so that a client that has read them keeps access. Throws a StartupFault if the folder is unusable.
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupFault } from '../startup-fault.ts';
import { type Authority, authorityOf, issue, makeAuthority } from './certificates.ts';

/** Returns the authority of `owner`, such as `Pix simulator`. The client's files exist when this returns. */
export function openCertificateFolder(folder: string, owner: string, clientId: string): Authority {
  const place = (name: string) => join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    const authority = openAuthority(`${owner} root (no money moves)`, place('ca.pem'), place('ca-key.pem'));
    if (!existsSync(place('client-certificate.pem'))) {
      const { certificate, privateKey } = issue(authority, clientId, 'client');
      writeFileSync(place('client-key.pem'), privateKey, { mode: 0o600 });
      writeFileSync(place('client-certificate.pem'), certificate);
    }
    return authority;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new StartupFault(`The ${owner}'s certificates in ${folder} cannot be used: ${error.message}.`);
  }
}

function openAuthority(rootName: string, certificatePath: string, keyPath: string): Authority {
  if (existsSync(certificatePath) && existsSync(keyPath)) {
    const key = createPrivateKey(readFileSync(keyPath));
    return authorityOf(rootName, key, readFileSync(certificatePath, 'utf8'));
  }
  const authority = makeAuthority(rootName);
  writeFileSync(keyPath, authority.privateKey, { mode: 0o600 });
  writeFileSync(certificatePath, authority.certificate);
  return authority;
}
