/** What STP tells when the measured deposits are paid: one transfer of the whole amount for each CLABE. */
import { systemClock } from '../src/foundation/clock.ts';
import { operationDate } from '../src/rails/stp/operation-date.ts';
import { rawPost } from './http-load.ts';
import { DEPOSIT_AMOUNT } from './signed-deposits.ts';

const ABONO_PATH = '/rail-notifications/stp';

let next = 0;

/** One for each of `clabes`, of transfers that were never told before. */
export function abonosFor(url: URL, clabes: readonly string[]): Buffer[] {
  const now = systemClock.now();
  return clabes.map((clabe) => rawPost(url, ABONO_PATH, writeAbono(++next, clabe, now)));
}

/** The field set, and what is a number in it, are as STP sends them. The amount's zeros are no part of a JSON number. */
function writeAbono(id: number, clabe: string, now: number): string {
  const fields = {
    id,
    fechaOperacion: Number(operationDate(now)),
    institucionOrdenante: 40_012,
    institucionBeneficiaria: 90_646,
    claveRastreo: `BENCH${id}`,
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
  return JSON.stringify(fields);
}

/** STP may forget it: its money is recorded. */
export function isConfirmed(status: number, body: string): boolean {
  return status === 200 && body.includes('"confirmar"');
}
