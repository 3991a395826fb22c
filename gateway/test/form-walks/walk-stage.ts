/**
 * The setup of the walks: a complete gateway with its own database, the simulators of the payment types, a shop that receives
 * payers and callbacks, and a Chromium. Nothing is mocked.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { MerchantProfile } from '../../src/domain/merchants/merchant.ts';
import { FORM_PAYMENT_TYPES, type FormPaymentType } from '../../src/domain/methods/payment-type.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import { launchChromium } from '../browser/chromium.ts';
import {
  freePort,
  type MerchantOptions,
  type RunningGateway,
  startGateway,
} from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { openShop, type Shop } from './shop.ts';
import { SIDES, type Side } from './sides.ts';

/** The shop's name on the payers' pages. */
export const SHOP_NAME = 'Nova Books';

export interface WalkStage {
  readonly gateway: RunningGateway;
  readonly browser: Browser;
  readonly shop: Shop;
  side(paymentType: FormPaymentType): Side;
  /** Creates a merchant with pages in the shop and without money. Each walk has its own. */
  merchant(settings?: MerchantOptions['settings'], profile?: Partial<MerchantProfile>): Promise<TestMerchant>;
  /** Returns the state of the order's deposit and of each attempt. Undefined before the payer submits. */
  standing(merchantId: string, orderId: string): Promise<Standing | undefined>;
  /** Rejects if an invariant does not hold. Closes in every case. */
  verifyAndClose(): Promise<void>;
}

export interface Standing {
  readonly transactionId: number;
  readonly state: string;
  readonly failReason: string | null;
  readonly attempts: readonly { readonly rail: string; readonly reference: string; readonly state: string }[];
}

export function openWalkStage(...types: readonly FormPaymentType[]): Promise<WalkStage> {
  return openWalkStageWith({}, ...types);
}

/** `more` contains additional variables of the gateway. */
export async function openWalkStageWith(
  more: EnvironmentVariables,
  ...types: readonly FormPaymentType[]
): Promise<WalkStage> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-form-walks-'));
  const port = await freePort();
  const gatewayUrl = `http://127.0.0.1:${port}`;
  const sides = await startSides(types, gatewayUrl, folder);
  const variables = Object.assign({}, ...[...sides.values()].map((side) => side.variables));
  const gateway = await startGateway({ variables: { ...variables, ...more, PORT: String(port) } });
  const [browser, shop] = await Promise.all([launchChromium(), openShop()]);
  let merchants = 0;
  return {
    gateway,
    browser,
    shop,
    side(paymentType) {
      const side = sides.get(paymentType);
      assert.ok(side, `${paymentType} is not on this stage`);
      return side;
    },
    merchant(settings = {}, profile = {}) {
      const id = `Shop${++merchants}`;
      return gateway.merchant(
        { funds: {}, settings, profile: { name: SHOP_NAME, ...shop.profile(id), ...profile } },
        id,
      );
    },
    standing: (merchantId, orderId) => readStanding(gateway, merchantId, orderId),
    async verifyAndClose() {
      await browser.close();
      await Promise.all([...sides.values()].map((side) => side.close()));
      await shop.close();
      await gateway.verifyAndStop().finally(() => rm(folder, { recursive: true, force: true }));
    },
  };
}

async function startSides(
  types: readonly FormPaymentType[],
  gatewayUrl: string,
  folder: string,
): Promise<ReadonlyMap<FormPaymentType, Side>> {
  const sides = new Map<FormPaymentType, Side>();
  for (const type of FORM_PAYMENT_TYPES.filter((each) => types.includes(each))) {
    const own = join(folder, type);
    await mkdir(own);
    sides.set(type, await SIDES[type]({ gatewayUrl, folder: own }));
  }
  return sides;
}

async function readStanding(
  { database }: RunningGateway,
  merchantId: string,
  orderId: string,
): Promise<Standing | undefined> {
  const { rows } = await database.pool.query(
    `select transaction_id, state, fail_reason from deposits where merchant_id = $1 and order_id = $2`,
    [merchantId, orderId],
  );
  if (rows.length === 0) return undefined;
  assert.equal(rows.length, 1, 'an order has one deposit');
  const { rows: attempts } = await database.pool.query(
    `select rail, reference, state from payment_attempts where merchant_id = $1 and transaction_id = $2 order by attempt`,
    [merchantId, rows[0].transaction_id],
  );
  const { transaction_id, state, fail_reason } = rows[0];
  return { transactionId: Number(transaction_id), state, failReason: fail_reason, attempts };
}
