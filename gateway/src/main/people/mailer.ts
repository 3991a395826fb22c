/** Sends emails by SMTP. A failure is logged, and never fails the action that caused the email. */
import type { ReceiptMessage, SendOutcome } from '../../domain/payments/send-receipt-emails.ts';
import type { Mailer } from '../../domain/people/people-parts.ts';
import type { Config } from '../config/config.ts';

const TIMEOUT_MS = 10_000;

export function createMailer(mail: Config['mail'], onProblem: (what: string, error: unknown) => void): Mailer {
  if (!mail) return async () => false;
  const send = createSendMail(mail, onProblem);
  return async (message) => (await send(message)) === 'sent';
}

export function createSendMail(
  mail: NonNullable<Config['mail']>,
  onProblem: (what: string, error: unknown) => void,
): (message: ReceiptMessage) => Promise<SendOutcome> {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  return async (message) => {
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ url: mail.url.reveal(), ...timeouts });
      await transport.sendMail({ from: mail.from, ...message });
      return 'sent';
    } catch (error) {
      onProblem('an email could not be sent', error);
      return outcomeOf(error as SmtpError);
    }
  };
}

interface SmtpError {
  readonly code?: string;
  /** The server's negative response. */
  readonly responseCode?: number;
  /** The SMTP command that failed. */
  readonly command?: string;
}

/** Once the message itself was sent, only the server's negative response proves anything. */
function outcomeOf({ code, responseCode = 0, command }: SmtpError): SendOutcome {
  if (responseCode >= 500 && code === 'EENVELOPE') return 'refused';
  return responseCode >= 400 || command === 'CONN' || code === 'EDNS' || code === 'EAUTH' ? 'not_sent' : 'unknown';
}
