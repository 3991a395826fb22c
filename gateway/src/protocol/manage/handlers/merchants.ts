/** Merchants, their keys and their funds. */
import type { MERCHANT_ENDPOINTS, Merchant as MerchantView } from '../../../../contract/endpoints/merchants.ts';
import type { ConformanceRun } from '../../../domain/conformance/conformance-run.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { FundingFailure } from '../../../domain/ledger/fund-merchant.ts';
import {
  describeSettings,
  type EffectiveSetting,
  SETTING_DESCRIPTIONS,
  type SettingDescription,
} from '../../../domain/merchants/describe-settings.ts';
import { merchantVersion } from '../../../domain/merchants/edit-merchant.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { MerchantRejection } from '../../../domain/merchants/merchant-rejection.ts';
import { isMerchantsSetting } from '../../../domain/merchants/merchant-settings.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { formatAmount, parseAmount } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { Answered, Handler, HandlersOf } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND, wordsProblem } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { viewBalance } from '../views/ledger-views.ts';

type MerchantEndpoints = typeof MERCHANT_ENDPOINTS;

export function merchantHandlers(operations: GatewayOperations): HandlersOf<MerchantEndpoints> {
  const { merchants } = operations;
  return {
    async 'merchants.create'({ body }) {
      const { merchantId, settings = {}, key, formKey, ...profile } = body;
      const application = { merchantId, profile, settings, key: secretOf(key), formKey: secretOf(formKey) };
      const created = await merchants.create(application);
      if (!created.ok) return fail(merchantProblem(created.error));
      const { merchant } = created.value;
      const view = viewMerchant(merchant);
      return ok({
        answer: { merchant: view, key: created.value.key.reveal(), formKey: created.value.formKey.reveal() },
        entityTag: merchantVersion(merchant),
        change: { before: null, after: view },
        created: `merchants/${merchant.merchantId}`,
      });
    },
    async 'merchants.list'() {
      return ok({ answer: { items: (await merchants.list()).map(viewMerchant) } });
    },
    'merchants.show': showMerchant(operations),
    async 'merchants.settings'({ params }) {
      const found = await merchants.find(params.merchantId);
      if (!found) return fail(merchantProblem({ kind: 'merchant_not_found' }));
      const version = merchantVersion(found.merchant);
      const repeated = SETTING_DESCRIPTIONS.filter(({ scope }) => scope !== 'merchant');
      return ok({
        answer: {
          version,
          items: describeSettings(found.merchant.settings).map(viewSetting),
          repeated: repeated.map(viewDescription),
        },
        entityTag: version,
      });
    },
    async 'merchants.edit'({ params, body, ifMatch, caller }) {
      if (ifMatch === null)
        return fail({
          code: 'if-match-missing',
          detail: 'Read the merchant, and send its ETag as If-Match, so that no other change is lost.',
        });
      const { settings = {}, ...profile } = body;
      const operators = caller.merchantId !== null && Object.keys(settings).find((name) => !isMerchantsSetting(name));
      if (operators)
        return fail({
          code: 'forbidden',
          field: '/settings',
          detail: `Setting "${operators}" is one of the operator’s terms: ask the operator to change it.`,
        });
      return changed(merchants, params.merchantId, () =>
        merchants.edit(params.merchantId, { profile, settings, ifVersion: ifMatch }),
      );
    },
    'merchants.activate': ({ params }) =>
      changed(merchants, params.merchantId, () => merchants.activate(params.merchantId)),
    'merchants.suspend': ({ params }) =>
      changed(merchants, params.merchantId, () => merchants.suspend(params.merchantId)),
    'merchants.recordConformance': recordConformance(operations),
    async 'keys.rotate'({ params, body, act }) {
      const { purpose = 'api', key, overlapHours } = body;
      const rotated = await merchants.rotateKey(params.merchantId, { purpose, key: secretOf(key), overlapHours, act });
      if (!rotated.ok) return fail(merchantProblem(rotated.error));
      const until = instantTextOrNull(rotated.value.oldKeyRetiresAt);
      return ok({
        answer: { purpose, key: rotated.value.key.reveal(), oldKeyValidUntil: until },
        change: { before: null, after: { purpose, oldKeyValidUntil: until } },
      });
    },
    'funds.credit': moveFunds(operations, 'credit'),
    'funds.debit': moveFunds(operations, 'debit'),
  };
}

function moveFunds(
  operations: GatewayOperations,
  direction: 'credit' | 'debit',
): Handler<MerchantEndpoints['funds.credit']> {
  return async ({ params, body }) => {
    const money = isCurrency(body.currency) ? parseAmount(body.amount, body.currency) : undefined;
    if (!money) return fail(amountProblem(body.currency));
    const moved = await operations.funds.move(direction, params.merchantId, money, body.reference, body.reason);
    if (!moved.ok) return fail(fundingProblem(moved.error));
    const { posted, balances } = moved.value;
    const answer = { posted, balance: viewBalance(money.currency, balances) };
    return ok({ answer, change: { before: null, after: answer } });
  };
}

/** The merchant is read before the action as well, for the audit log. */
async function changed(
  merchants: GatewayOperations['merchants'],
  merchantId: MerchantId,
  change: () => Promise<Result<Merchant, MerchantRejection>>,
): Promise<Result<Answered<MerchantView>, ManageProblem>> {
  const found = await merchants.find(merchantId);
  const result = await change();
  if (!result.ok) return fail(merchantProblem(result.error));
  const after = viewMerchant(result.value);
  const before = found ? viewMerchant(found.merchant) : null;
  return ok({ answer: after, entityTag: merchantVersion(result.value), change: { before, after } });
}

function viewMerchant({ settings, createdAt, ...merchant }: Merchant): MerchantView {
  return { ...merchant, settings: settings.raw as Record<string, string>, createdAt: instantText(createdAt) };
}

function viewDescription({ name, scope, accepts, choices, meaning, isMerchants }: SettingDescription) {
  return { name, scope, accepts, choices: choices === null ? null : [...choices], meaning, isMerchants };
}

function showMerchant({ merchants }: GatewayOperations): Handler<MerchantEndpoints['merchants.show']> {
  return async ({ params }) => {
    const found = await merchants.find(params.merchantId);
    if (!found) return fail(merchantProblem({ kind: 'merchant_not_found' }));
    const answer = {
      ...viewMerchant(found.merchant),
      keys: found.keys.map((key) => ({
        keyId: key.keyId,
        purpose: key.purpose,
        createdAt: instantText(key.createdAt),
        validUntil: instantTextOrNull(key.retiresAt),
        firstUsedAt: instantTextOrNull(key.firstUsedAt),
        lastUsedAt: instantTextOrNull(key.lastUsedAt),
      })),
      balances: [...found.balances].map(([currency, balances]) => viewBalance(currency, balances)),
      conformance: found.conformance && viewConformance(found.conformance),
    };
    return ok({ answer, entityTag: merchantVersion(found.merchant) });
  };
}

function recordConformance({
  merchants,
}: GatewayOperations): Handler<MerchantEndpoints['merchants.recordConformance']> {
  return async ({ params, body }) => {
    const recorded = await merchants.recordConformance(params.merchantId, body.results, body.address);
    if (recorded.ok) {
      const answer = viewConformance(recorded.value);
      return ok({ answer, change: { before: null, after: answer } });
    }
    const { error } = recorded;
    return fail(
      error === 'merchant_not_found' ? merchantProblem({ kind: error }) : wrongCheckProblem(error.wrongCheck),
    );
  };
}

function viewConformance({ recordedAt, findings, ...run }: ConformanceRun) {
  return { ...run, recordedAt: instantText(recordedAt), findings: [...findings] };
}

function wrongCheckProblem(name: string): ManageProblem {
  const detail = `Report each check of this gateway once: "${name}" is missing, unknown or duplicated. Use the gateway conform of the same version.`;
  return { code: 'invalid-request', field: '/results', detail };
}

function viewSetting(setting: EffectiveSetting) {
  return { ...viewDescription(setting), value: setting.value, default: setting.default };
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

function amountProblem(currency: string): ManageProblem {
  return isCurrency(currency)
    ? {
        code: 'invalid-request',
        field: '/amount',
        detail: `amount must be above zero, with the decimals of ${currency}.`,
      }
    : { code: 'invalid-request', field: '/currency', detail: `currency ${currency} is not supported.` };
}

export function merchantProblem(rejection: MerchantRejection): ManageProblem {
  switch (rejection.kind) {
    case 'invalid': {
      const field = rejection.field === 'id' ? 'merchantId' : rejection.field;
      return { code: 'invalid-request', field: `/${field}`, detail: `${field} ${rejection.reason}.` };
    }
    case 'invalid_setting':
      return { code: 'invalid-request', field: '/settings', detail: `${rejection.reason}.` };
    case 'changed_meanwhile':
      return { code: 'changed-meanwhile', detail: 'Read the merchant again, and repeat the change with its new ETag.' };
    case 'merchant_exists':
      return { code: 'already-exists', field: '/merchantId', detail: 'A merchant with this id already exists.' };
    case 'merchant_not_found':
      return MERCHANT_NOT_FOUND;
    case 'merchant_reserved':
      return {
        code: 'rejected',
        detail: 'This merchant is built in: it only holds unmatched money.',
      };
    case 'conformance_missing':
      return {
        code: 'rejected',
        detail: `The merchant’s setting conformance_days requires a passed run of gateway conform from the last ${rejection.days} days. Record one: gateway conform … --book … --record.`,
      };
    case 'process_url_missing':
      return {
        code: 'rejected',
        field: '/processUrl',
        detail: 'An active merchant needs a processUrl, so that it gets the results of its payments.',
      };
  }
}

function fundingProblem(failure: FundingFailure): ManageProblem {
  switch (failure.kind) {
    case 'invalid_reference':
      return {
        code: 'invalid-request',
        field: '/reference',
        detail: 'reference must be 1 to 64 of A–Z, a–z, 0–9, ".", "_" and "-".',
      };
    case 'words_rejected':
      return wordsProblem(failure);
    case 'reference_already_used':
      return {
        code: 'already-exists',
        field: '/reference',
        detail:
          'This reference belongs to a posting with another amount, currency or direction. Choose a new reference.',
      };
    case 'insufficient_funds': {
      const { available } = failure;
      return {
        code: 'insufficient-funds',
        field: '/amount',
        detail: `Only ${formatAmount(available)} ${available.currency} are available.`,
      };
    }
    default:
      return merchantProblem(failure);
  }
}
