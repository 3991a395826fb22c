/**
 * What TLS says of certificates: a provider that refuses ours, and one whose own we don't trust. It knows sockets and the codes
 * of their errors, no requests.
 *
 * A refusal of ours is a fatal alert. **While the handshake lasts it proves that nothing of a request was read**: who finds a
 * certificate unacceptable aborts the handshake (RFC 8446 §4.4.2.4), no side takes application data before it has validated the
 * other's Finished (§4.4.4; we send no early data, §2.3, the one exception), and a fatal alert ends the connection at once, with
 * nothing more read from it (§6, §6.2; RFC 5246 §7.2.2). In TLS 1.2 we ourselves are not connected until then, so nothing was
 * even written. In TLS 1.3 we are, and the request may be on its way before the alert is.
 *
 * **Later it proves nothing**: a TLS 1.2 server may ask for the certificate anew once it has read what is wanted (RFC 5246
 * §7.4.1.1), and nobody has to refuse a certificate at the start. Later is, in TLS 1.3, after a session ticket (which follows our
 * Finished, RFC 8446 §4.6.1) or any data.
 *
 * Not told as an alert: a server that just closes, and an alert that is lost because the connection was reset over it.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { errorCode } from '../../foundation/error-code.ts';

/**
 * The alerts about a certificate that was sent, or was not (RFC 8446 §6.2), as OpenSSL words them, in all its prefixes. To none
 * at all TLS 1.2 says `handshake_failure` (RFC 5246 §7.4.6), which it says of much else and is not among them.
 */
const ALERTS =
  /^ERR_SSL_\S*_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED)$/;

/** What node says of a peer's certificate that it does not trust: OpenSSL's X509_V_ERR_… and its own word about the host's name. */
const DISTRUSTS =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_)/;

export function isCertificateRefusal(error: unknown): boolean {
  return ALERTS.test(errorCode(error) ?? '');
}

/** True of an error of a connection that we did not make because we don't trust who is there. */
export function isDistrust(error: unknown): boolean {
  return DISTRUSTS.test(errorCode(error) ?? '');
}

/** What ends a connection on which our certificate was refused after we thought it made. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  /** None of undici's own, which undici would take as a reason to try again. */
  readonly code: string;
  /** True: it is proved that the provider read nothing of what was written. */
  readonly isNothingRead: boolean;

  constructor(cause: unknown, isNothingRead: boolean) {
    super('the provider refuses our certificate', { cause });
    this.code = errorCode(cause) ?? '';
    this.isNothingRead = isNothingRead;
  }
}

/**
 * For a connection just made: has it end with a `CertificateRefused` where it is refused. Without it undici, which hears of the
 * alert and then of the connection's end, tells of the end alone.
 */
export function watchForRefusal(socket: Socket): void {
  if (!(socket instanceof TLSSocket)) return;
  let isHandshakeOver = socket.getProtocol() !== 'TLSv1.3';
  const end = () => {
    isHandshakeOver = true;
  };
  socket.once('session', end).once('readable', end);
  socket.on('error', (error) => {
    if (isCertificateRefusal(error)) socket.destroy(new CertificateRefused(error, !isHandshakeOver));
  });
}
