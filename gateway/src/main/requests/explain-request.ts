/** The signature doctor over the request log: opens the exact bytes and the merchant's keys for one check. */
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import type { KeyPurpose } from '../../domain/merchants/merchant.ts';
import type { MerchantStore, StoredMerchant } from '../../domain/merchants/merchant-store.ts';
import type { RequestLogStore } from '../../domain/requests/request-log-store.ts';
import {
  DOCUMENTED_KEY,
  type ExaminedRequest,
  type SignatureFinding,
} from '../../domain/signature-doctor/examination.ts';
import type { DoctorKey, KeyOrigin } from '../../domain/signature-doctor/suspect.ts';
import { merchantKeyPlace, type Sealer } from '../../domain/vault/create-vault.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import type { VaultStore } from '../../domain/vault/vault-store.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { Secret } from '../../foundation/secret.ts';
import { examineRequest } from '../../protocol/signature-doctor/examine-request.ts';

interface ExplainParts {
  readonly requests: Pick<RequestLogStore, 'find'>;
  readonly vaultStore: Pick<VaultStore, 'find'>;
  readonly vault: Pick<Vault, 'openFields'>;
  readonly merchants: Pick<MerchantStore, 'find'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly clock: Clock;
}

export function createExplainRequest(core: ExplainParts): GatewayOperations['requests']['explain'] {
  return async (key, showsPersonal) => {
    const record = await core.requests.find(key);
    const sealed = record?.vaultToken ? await core.vaultStore.find(key.merchantId, record.vaultToken) : undefined;
    // Includes retired keys as long as they exist, because a client may still sign with one.
    const found = await core.merchants.find(key.merchantId, 0);
    if (!record || !sealed || !found) return undefined;
    const bytes = core.vault.openFields(sealed)['request']?.reveal() ?? '';
    const examined = {
      endpoint: record.endpoint,
      request: Buffer.from(bytes, 'base64'),
      headers: record.headers,
      requiresXSign: found.merchant.settings.payout_x_sign === 'required',
    };
    return examineRequest(examined, keysOf(core, found, core.clock.now()), showsPersonal);
  };
}

type HereParts = Pick<ExplainParts, 'merchants' | 'sealer' | 'clock'>;

/** Used only in a sandbox, where each request is the merchant's own and its keys open nothing else. */
export async function explainHere(
  core: HereParts,
  merchantId: MerchantId,
  request: Omit<ExaminedRequest, 'requiresXSign'>,
): Promise<readonly SignatureFinding[]> {
  const found = await core.merchants.find(merchantId, 0);
  if (!found) return [];
  const requiresXSign = found.merchant.settings.payout_x_sign === 'required';
  return examineRequest({ ...request, requiresXSign }, keysOf(core, found, core.clock.now()), true);
}

const RETIRED: Readonly<Record<KeyPurpose, KeyOrigin>> = { api: 'old_api', form: 'old_form' };

function keysOf({ sealer }: HereParts, { merchant, keys }: StoredMerchant, now: Instant): readonly DoctorKey[] {
  const own = keys.map(
    ({ keyId, purpose, sealed, retiresAt }): DoctorKey => ({
      origin: retiresAt === null || now < retiresAt ? purpose : RETIRED[purpose],
      secret: sealer.open(sealed, merchantKeyPlace(merchant.merchantId, keyId)),
    }),
  );
  return [...own, { origin: 'documentation', secret: new Secret(DOCUMENTED_KEY) }];
}
