/**
 * The demo merchant's host-to-host deposit from a payer in Mexico, with a signed body, as an object and as a `curl` command to
 * paste; and the payer's payment through the control surface of STP's simulator.
 */
import { xSign } from './merchant-signatures.ts';
import type { Sender, SignedRequest } from './payout-examples.ts';
import type { Rails } from './providers/provider.ts';
import { PAY_PATH } from './providers/stp.ts';
import { controlCurl, type SimulatorPlace } from './simulator.ts';

interface SignedBytes {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signed bytes, which must be sent unchanged. */
  readonly body: string;
}

export const DEPOSIT = { amount: '250.00', currency: 'MXN' } as const;

const PAYER = { user_id: 'customer-7', first_name: 'Ana', last_name: 'Lopez' } as const;

/** The name as the payer's bank writes it. */
export const PAYER_NAME = 'ANA LOPEZ';

export function depositRequest({ url, merchantId, key }: Sender, order: string): SignedBytes {
  const body = JSON.stringify({ order, ...DEPOSIT, ...PAYER });
  return {
    url: `${url}/api/v2/spei/host2host/create`,
    headers: { 'content-type': 'application/json', 'x-merchant': merchantId, 'x-sign': xSign(body, key) },
    body,
  };
}

/** Prints the response and stores its CLABE for `payCurl`. For a POSIX shell; the demo's values contain no single quotes. */
export function depositCurl({ url, headers, body }: SignedBytes): string {
  const options = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  const ask = `curl -s ${url} ${options.join(' ')} -d '${body}'`;
  return `reply=$(${ask}); echo "$reply"; CLABE=$(echo "$reply" | grep -o '[0-9]\\{18\\}')`;
}

/** Makes a payer pay to the CLABE that `depositCurl` stored. */
export function payCurl(stp: SimulatorPlace): string {
  return controlCurl(stp, PAY_PATH, `{"clabe":"'$CLABE'","amount":"${DEPOSIT.amount}","behaviour":"exact"}`);
}

interface PaidTransfer {
  readonly clabe: string;
  readonly amount: string;
  readonly order: string;
  readonly at: number;
}

/** Builds the payer's bank's notification of a transfer. The demo's history sends it instead of the simulator. */
export function transferNotice(url: string, { stp }: Rails, { clabe, amount, order, at }: PaidTransfer): SignedRequest {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
  const number = order.replace(/\D/g, '');
  return {
    url: `${url}/rail-notifications/stp`,
    body: {
      id: number,
      fechaOperacion: day,
      institucionOrdenante: '40012',
      claveRastreo: `demo${number}`,
      monto: amount,
      nombreOrdenante: PAYER_NAME,
      cuentaOrdenante: '012180015000000000',
      rfcCurpOrdenante: 'ND',
      nombreBeneficiario: 'DEMO',
      cuentaBeneficiario: clabe,
      conceptoPago: order,
      referenciaNumerica: '7',
      empresa: stp?.empresa ?? '',
      tipoPago: '1',
    },
  };
}
