/** STP's notification for a measured deposit: one transfer of the full amount to its CLABE. */
import { systemClock } from '../../src/foundation/clock.ts';
import { operationDate } from '../../src/rails/stp/operation-date.ts';
import { DEPOSIT_AMOUNT } from './deposit-requests.ts';
import { rawPost } from './raw-post.ts';
import type { Verdict } from './run-load.ts';

const ABONO_PATH = '/rail-notifications/stp';

/** Uses STP's fields and number types. A JSON number omits the trailing zeros of an amount. */
export function abonoRequest(url: URL, index: number, clabe: string): Buffer {
  const now = systemClock.now();
  const fields = {
    id: index,
    fechaOperacion: Number(operationDate(now)),
    institucionOrdenante: 40_012,
    institucionBeneficiaria: 90_646,
    claveRastreo: `BENCH${index}`,
    monto: Number(DEPOSIT_AMOUNT),
    nombreOrdenante: 'JOSE MUNOZ GARCIA',
    tipoCuentaOrdenante: 40,
    cuentaOrdenante: '012180001234567897',
    rfcCurpOrdenante: 'ND',
    nombreBeneficiario: 'NO DISPONIBLE',
    tipoCuentaBeneficiario: 40,
    cuentaBeneficiario: clabe,
    rfcCurpBeneficiario: 'ND',
    conceptoPago: 'PAGO',
    referenciaNumerica: 1_234_567,
    empresa: 'GATEWAY',
    tipoPago: 1,
    tsLiquidacion: String(now),
  };
  return rawPost(url, ABONO_PATH, JSON.stringify(fields));
}

/** Good means that the gateway confirmed the abono, so the money is recorded. */
export function judgeAbono(status: number, text: string): Verdict {
  if (status === 200 && text.includes('"confirmar"')) return 'good';
  return status === 429 ? 'shed' : 'bad';
}
