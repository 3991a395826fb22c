/** Sends e-mails by SMTP. A failure is a problem for the log, never for the act that wanted the e-mail. */
import type { Mailer } from '../../domain/people/people-parts.ts';
import type { Config } from '../config/config.ts';

const TIMEOUT_MS = 10_000;

export function createMailer(mail: Config['mail'], onProblem: (what: string, error: unknown) => void): Mailer {
  if (!mail) return async () => false;
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  return async (message) => {
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ url: mail.url.reveal(), ...timeouts });
      await transport.sendMail({ from: mail.from, ...message });
      return true;
    } catch (error) {
      onProblem('an e-mail could not be sent', error);
      return false;
    }
  };
}
