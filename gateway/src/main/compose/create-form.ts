/** The hosted form of an API process, with an open core. */
import type { FastifyInstance } from 'fastify';
import type { BankDirectory } from '../../domain/payments/banks/bank-directory.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import { loadFormAssets } from '../../protocol/form/assets/page-assets.ts';
import { formRoutes } from '../../protocol/form/form-routes.ts';
import type { FormParts } from '../../protocol/form/form-visit.ts';
import { DEFAULT_FORM_RATE } from '../../protocol/form/opening/opening-routes.ts';
import { urlOf } from '../listen.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createPayments, type PaymentNotices } from './create-payments.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './gateway-core.ts';

interface FormSurroundings {
  readonly banks: BankDirectory;
  readonly notices: PaymentNotices;
  readonly requestLog: RequestLog;
  readonly publishing: Publishing;
}

/** `hooks` are those of `notices`, so that open pages are notified of recorded changes. */
export function registerForm(
  app: FastifyInstance,
  core: GatewayCore,
  hooks: Hooks,
  { banks, notices, requestLog, publishing }: FormSurroundings,
): void {
  const { config, directory, vault } = core;
  const parts: FormParts = {
    payments: createPayments(core, hooks, publishing),
    directory,
    bankDirectory: banks,
    keyedHash: vault.fingerprint,
    onPaymentChanged: notices.listen,
    publicUrl: () => config.publicUrl ?? urlOf(app),
    defaultFormRate: DEFAULT_FORM_RATE[config.environment],
    requestLog,
    onRejected: hooks.onDepositRejected,
    onInternalError: hooks.onInternalError,
  };
  void app.register(formRoutes(parts, loadFormAssets()));
}
