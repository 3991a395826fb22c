/** Visa's checks of a push of funds before it is accepted. The result is the first invalid field. */

import { asFields, type Fields, textOf } from '../kernel/fields.ts';

export interface PushRequest {
  readonly identity: string;
  readonly systemsTraceAuditNumber: string;
  readonly retrievalReferenceNumber: string;
  readonly senderReference: string;
  readonly amount: string;
  readonly currency: string;
  readonly maskedNumber: string;
  readonly recipientName: string;
}

/** Returns the digits of a JSON number, or '' for any other value. */
function digitsOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : '';
}

const SHAPES: readonly (readonly [name: string, shape: RegExp, isOptional?: true])[] = [
  ['retrievalReferenceNumber', /^\d{12}$/],
  ['transactionCurrencyCode', /^(?:[A-Z]{3}|\d{3})$/],
  ['businessApplicationId', /^[A-Z]{2}$/],
  ['localTransactionDateTime', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/],
  ['recipientPrimaryAccountNumber', /^\d{13,19}$/],
  ['recipientName', /^[\x20-\x7e]{1,30}$/, true],
  ['senderReference', /^[A-Za-z0-9]{1,16}$/],
  ['senderName', /^[\x20-\x7e]{2,30}$/],
  ['senderAddress', /^[\x20-\x7e]{1,35}$/],
  ['senderCity', /^[\x20-\x7e]{1,25}$/],
  ['senderCountryCode', /^[A-Z0-9]{3}$/],
  ['sourceOfFundsCode', /^\d{2}$/],
];

/** `text` is the raw body, from which the amount is read without parsing it as a number. */
export function readPush(
  value: unknown,
  text: string,
  acquiringBin: string,
): PushRequest | { readonly invalid: string } {
  const fields = asFields(value);
  const acceptor = asFields(fields['cardAcceptor']);
  const address = asFields(acceptor['address']);
  const stan = digitsOf(fields, 'systemsTraceAuditNumber');
  const [, amount = ''] = /"amount":\s*(\d{1,9}(?:\.\d{1,3})?)\s*[,}]/.exec(text) ?? [];
  const checks: readonly (readonly [name: string, holds: boolean])[] = [
    ['systemsTraceAuditNumber', /^\d{1,6}$/.test(stan)],
    ['acquiringBin', digitsOf(fields, 'acquiringBin') === acquiringBin],
    ['acquirerCountryCode', /^\d{1,3}$/.test(digitsOf(fields, 'acquirerCountryCode'))],
    ['amount', Number(amount) > 0],
    ...SHAPES.map(([name, shape, isOptional]) => {
      const isAbsent = isOptional === true && fields[name] === undefined;
      return [name, isAbsent || shape.test(textOf(fields, name))] as const;
    }),
    ['cardAcceptor.name', /^.{1,25}$/.test(textOf(acceptor, 'name'))],
    ['cardAcceptor.idCode', /^.{1,15}$/.test(textOf(acceptor, 'idCode'))],
    ['cardAcceptor.terminalId', /^.{1,8}$/.test(textOf(acceptor, 'terminalId'))],
    ['cardAcceptor.address.country', /^[A-Z]{3}$/.test(textOf(address, 'country'))],
  ];
  const [invalid] = checks.find(([, holds]) => !holds) ?? [];
  if (invalid !== undefined) return { invalid };
  const systemsTraceAuditNumber = stan.padStart(6, '0');
  const retrievalReferenceNumber = textOf(fields, 'retrievalReferenceNumber');
  const number = textOf(fields, 'recipientPrimaryAccountNumber');
  const place = [textOf(acceptor, 'idCode'), textOf(acceptor, 'terminalId')];
  return {
    identity: [acquiringBin, systemsTraceAuditNumber, retrievalReferenceNumber, ...place].join(' '),
    systemsTraceAuditNumber,
    retrievalReferenceNumber,
    senderReference: textOf(fields, 'senderReference'),
    amount,
    currency: textOf(fields, 'transactionCurrencyCode'),
    maskedNumber: `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`,
    recipientName: textOf(fields, 'recipientName'),
  };
}
