import { OutcomeUnknown, RequestRejected } from './errors.ts';
import { COVERED, type Payout } from './payouts.ts';
import { type Fields, isEqual, md5Sign, xSign } from './signatures.ts';
import { createSend, type GatewayAnswer, type Send, type TransportOptions } from './transport.ts';

export interface GatewayOptions extends TransportOptions {
  readonly merchant: string;
  readonly apiKey: string;
  /** Signs links to the hosted form, and nothing else. */
  readonly formKey?: string;
}

/** `Success` and `Blocked` are final. */
export interface PayoutReply {
  readonly status: 'Success' | 'Pending' | 'Blocked';
  readonly code: string;
  readonly payout_id: string;
  readonly description: string;
}

export interface Balance {
  readonly currency: string;
  /** The amount that you can pay out, such as `990.00`. */
  readonly balance: string;
  /** Set aside for pending payouts and their fees. */
  readonly reserved: string;
}

export interface ListQuery {
  readonly type: 'deposit' | 'withdrawal';
  readonly currency: string;
  /** A date, or a date and a time, in UTC. */
  readonly start_date: string;
  /** Exclusive. */
  readonly finish_date: string;
  readonly status?: 'all' | 'pending' | 'success' | 'blocked' | 'fail';
  /** A single `payout_id` or `order`. */
  readonly order?: string;
}

export interface ListedPayment {
  readonly id: number;
  readonly order_id: string;
  readonly status: 'pending' | 'success' | 'blocked' | 'fail';
  readonly amount: string;
  readonly currency: string;
  readonly created_at: string;
  /** Empty while the payment is pending. */
  readonly finished_at: string;
}

export interface DepositRequest {
  readonly order: string;
  readonly amount: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Show `clabe` and `beneficiary` to the payer. A callback reports the payment. */
export interface Deposit {
  readonly transactionId: number;
  readonly uuid: string;
  readonly order: string;
  readonly clabe: string;
  readonly beneficiary: string;
}

export interface FormRequest {
  readonly order: string;
  readonly amount: string;
  readonly currency: string;
  readonly item_name: string;
  readonly country: string;
  readonly [parameter: string]: string;
}

const PAGE = 1_000;

/** A merchant's client. Each method throws RequestRejected or OutcomeUnknown. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #send: Send;

  constructor(options: GatewayOptions) {
    if (!options.merchant || !options.apiKey) throw new TypeError('Gateway needs merchant and apiKey');
    this.#options = options;
    this.#send = createSend(options);
  }

  /**
   * Sends a payout. Repeating it with the same `payout_id` and content never pays twice. A callback reports the final state of
   * a `Pending` payout. After OutcomeUnknown, call it again unchanged or query payoutStatus.
   */
  async sendPayout(payout: Payout): Promise<PayoutReply> {
    const body: Record<string, string> = { merchant: this.#options.merchant };
    for (const [name, value] of Object.entries(payout))
      if (value !== undefined && value !== null) body[name] = String(value);
    const covered = (COVERED[payout.method] ?? []).filter((name) => body[name] !== undefined);
    const sign = md5Sign(Object.fromEntries(covered.map((name) => [name, body[name] ?? ''])), this.#options.apiKey);
    const answer = await this.#post('/merchant/api/payout_send', { ...body, sign });
    return this.#payoutReply(answer, payout.payout_id);
  }

  /**
   * Returns the state of a payout, or undefined if the gateway does not know it. From 30 seconds after the last request,
   * undefined proves that the gateway never accepted the payout.
   */
  async payoutStatus(payoutId: string): Promise<PayoutReply | undefined> {
    const answer = await this.#ask('/merchant/api/payout_status', { payout_id: payoutId });
    if (rejectionIn(answer) === 'Payout not found') return undefined;
    return this.#payoutReply({ ...answer, isAfterSilence: false }, payoutId);
  }

  async balance(currency: string): Promise<Balance> {
    const answer = await this.#ask('/payment/balance', { currency });
    const { status, sign, ...fields } = this.#signedFields(answer);
    return fields as unknown as Balance;
  }

  /** Reads all payments of the period, oldest first, page by page. Payments of the last 30 seconds are not listed yet. */
  async *payments({ status = 'all', order = '0', ...query }: ListQuery): AsyncGenerator<ListedPayment> {
    let after = '0';
    for (;;) {
      const page = { ...query, status, order, limit: String(PAGE), ...(after === '0' ? {} : { after }) };
      const answer = await this.#ask('/api/payment-list', page);
      refuse(answer);
      this.#checkBytes(answer);
      const rows = answer.json as readonly ListedPayment[];
      yield* rows;
      if (rows.length < PAGE) return;
      after = String(rows.at(-1)?.id);
    }
  }

  /**
   * Creates a CLABE for one order, to be paid in MXN by SPEI. An order gets a CLABE once: use a new `order` after
   * OutcomeUnknown.
   */
  async createDeposit(request: DepositRequest): Promise<Deposit> {
    const body = JSON.stringify({ ...request, currency: 'MXN' });
    const answer = await this.#send('/api/v2/spei/host2host/create', body, this.#signatureHeaders(body));
    refuse(answer);
    this.#checkBytes(answer);
    const deposit = answer.json as Deposit;
    if (deposit.order !== request.order) throw new OutcomeUnknown('the reply belongs to another order');
    return deposit;
  }

  /** Returns the link to the page on which a payer pays. Its signature prevents payers from changing the amount. */
  formLink(request: FormRequest): string {
    const { merchant, formKey, baseUrl } = this.#options;
    if (formKey === undefined) throw new Error('formLink needs the option formKey');
    const { order, amount, currency } = request;
    const sign = md5Sign({ merchant, order, amount, currency }, formKey);
    return `${baseUrl.replace(/\/+$/, '')}/payment/form?${new URLSearchParams({ merchant, ...request, sign })}`;
  }

  #ask(path: string, fields: Fields): Promise<GatewayAnswer> {
    const covered = { merchant: this.#options.merchant, ...fields };
    return this.#post(path, { ...covered, sign: md5Sign(covered, this.#options.apiKey) });
  }

  #post(path: string, fields: Fields): Promise<GatewayAnswer> {
    const body = JSON.stringify(fields);
    return this.#send(path, body, this.#signatureHeaders(body));
  }

  #signatureHeaders(body: string): Readonly<Record<string, string>> {
    return { 'x-merchant': this.#options.merchant, 'x-sign': xSign(body, this.#options.apiKey) };
  }

  #payoutReply(answer: GatewayAnswer, payoutId: string): PayoutReply {
    const { sign, ...reply } = this.#signedFields(answer);
    if (reply['payout_id'] !== payoutId) throw new OutcomeUnknown('the reply belongs to another payout');
    return reply as unknown as PayoutReply;
  }

  #signedFields(answer: GatewayAnswer): Fields {
    refuse(answer);
    const { sign = '', ...fields } = answer.json as Fields;
    const isText = [sign, ...Object.values(fields)].every((each: unknown) => typeof each === 'string');
    if (isText && isEqual(sign, md5Sign(fields, this.#options.apiKey))) return { ...fields, sign };
    throw new OutcomeUnknown('the signature of the response is invalid');
  }

  #checkBytes({ text, headers }: GatewayAnswer): void {
    if (!isEqual(headers.get('x-sign') ?? '', xSign(text, this.#options.apiKey)))
      throw new OutcomeUnknown('the signature of the response is invalid');
  }
}

/** Returns the reason of an `Error` or a `fail`, or undefined for any other response. */
function rejectionIn({ json }: GatewayAnswer): string | undefined {
  const { status, description } = json as Fields;
  return status === 'Error' || status === 'fail' ? (description ?? '') : undefined;
}

/** A rejection proves nothing about an earlier attempt without a response. */
function refuse(answer: GatewayAnswer): void {
  const reason = rejectionIn(answer);
  if (reason === undefined) return;
  if (answer.isAfterSilence)
    throw new OutcomeUnknown(`an attempt got no response, and a repeat was rejected: ${reason}`);
  throw new RequestRejected(reason);
}
