/**
 * The certificate that the bank knows us by, its private key, and whom we believe to be the bank. The bank gives them (in
 * development its simulator does), so the files may come after us, and be replaced while we run: they are read at every new
 * connection. Throws where one can't be read.
 */
import { readFileSync } from 'node:fs';
import type { TlsIdentity } from '../kit/provider-http.ts';
import type { PixConfiguration } from './configuration.ts';

export function identityIn({ certificateFile, privateKeyFile, caFile }: PixConfiguration): TlsIdentity {
  return {
    cert: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(privateKeyFile, 'utf8'),
    ca: caFile === null ? undefined : readFileSync(caFile, 'utf8'),
  };
}
