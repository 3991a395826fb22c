/** The payers: the accounts of the bank app's users, and the validation of a test's payment request. */
import { sumOf, toText } from '../kernel/amounts.ts';
import { asFields } from '../kernel/fields.ts';
import type { Charge, Person } from './book.ts';
import type { Payment } from './processing.ts';
import { isCpf, isValor } from './requests.ts';

export interface Account {
  readonly id: string;
  readonly bank: string;
  /** The balance before every payment. It is restored, so payers never run out of money. */
  readonly balance: string;
}

export const ACCOUNTS: readonly Account[] = [
  { id: 'azul', bank: 'Banco Azul, checking account', balance: '1000000.00' },
  { id: 'verde', bank: 'Banco Verde, savings account', balance: '10.00' },
];

export const ANYBODY: Person = { cpf: '52998224725', nome: 'Ana Souza' };
const SOMEBODY_ELSE: Person = { cpf: '11144477735', nome: 'Bruno Lima' };

const BEHAVIOURS = ['exact', 'other_cpf', 'short', 'over', 'twice', 'late', 'in_flight'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export interface PayRequest {
  readonly payments: readonly Payment[];
  readonly isLate: boolean;
}

type ParsedPay = { readonly request: PayRequest } | { readonly invalidField: string };

/** Parses a test's payment request. `charge` is the charge with its txid. */
export function parsePay(value: unknown, charge: Charge | undefined): ParsedPay {
  const { txid, behaviour = 'exact', difference = '1.00', cpf, name } = asFields(value);
  if (typeof txid !== 'string' || charge === undefined) return { invalidField: 'txid' };
  if (!BEHAVIOURS.includes(behaviour as Behaviour)) return { invalidField: 'behaviour' };
  if (typeof difference !== 'string' || !isValor(difference)) return { invalidField: 'difference' };
  if (cpf !== undefined && !(typeof cpf === 'string' && isCpf(cpf))) return { invalidField: 'cpf' };
  const valor = amountOf(behaviour as Behaviour, charge.valor, difference);
  if (valor === undefined) return { invalidField: 'difference' };
  const named =
    cpf === undefined ? payerOf(behaviour as Behaviour, charge) : { cpf, nome: String(name ?? 'Carla Dias') };
  const payment: Payment = { txid, pagador: named, valor, isForced: behaviour === 'in_flight' };
  const payments = behaviour === 'twice' ? [payment, { ...payment, isForced: true }] : [payment];
  return { request: { payments, isLate: behaviour === 'late' } };
}

function payerOf(behaviour: Behaviour, { devedor }: Charge): Person {
  if (behaviour === 'other_cpf') return devedor?.cpf === SOMEBODY_ELSE.cpf ? ANYBODY : SOMEBODY_ELSE;
  return devedor ?? ANYBODY;
}

function amountOf(behaviour: Behaviour, valor: string, difference: string): string | undefined {
  if (behaviour === 'over') return toText(sumOf([valor, difference]));
  if (behaviour !== 'short') return valor;
  const less = sumOf([valor]) - sumOf([difference]);
  return less > 0n ? toText(less) : undefined;
}
