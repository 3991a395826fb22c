/**
 * Registers our callback URL at the bank, unless the bank has it already. The bank appends `/pix` to the URL, so the
 * registered URL ends before that.
 *
 * Confirmed by the OpenAPI document 2.9.0: the endpoint, `webhookUrl`, 200. Confirmed by a bank's page: at a registration, the
 * bank tests whether our URL rejects a caller without a certificate. So an existing registration stays unchanged.
 */
import type { RailPreparation } from '../../domain/rails/rail-preparation.ts';
import { fail, ok } from '../../foundation/result.ts';
import { readPlainObject } from '../kit/provider-json.ts';
import type { PixAnswer, PixApi } from './api.ts';
import { PIX, type PixConfiguration } from './configuration.ts';
import { textOf } from './read-fields.ts';
import { readProblem } from './refusals.ts';

type Registration = Pick<PixConfiguration, 'chave' | 'webhookUrl'>;

export function createPixPreparation({ chave, webhookUrl }: Registration, bank: PixApi): RailPreparation {
  const path = `/webhook/${encodeURIComponent(chave)}`;
  const body = JSON.stringify({ webhookUrl });
  return {
    name: PIX,
    async prepare(deadline) {
      const known = await bank.exchange({ verb: 'GET', path }, deadline);
      if (webhookUrlIn(known) === webhookUrl) return ok(undefined);
      const reply = await bank.exchange({ verb: 'PUT', path, body }, deadline);
      if (reply.kind !== 'answered') return fail(reply.reason);
      if (reply.status >= 200 && reply.status < 300) return ok(undefined);
      return fail(readProblem(reply.status, reply.body).reason);
    },
  };
}

function webhookUrlIn(reply: PixAnswer): string {
  return reply.kind === 'answered' && reply.status === 200 ? textOf(readPlainObject(reply.body), 'webhookUrl') : '';
}
