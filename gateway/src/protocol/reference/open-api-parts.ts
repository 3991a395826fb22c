/** The parts that each chapter of the OpenAPI document uses. */

export type Json = Readonly<Record<string, unknown>>;

export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonOf(schema: Json, example?: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** Returns an object whose fields are all mandatory, unless `optional` lists them. */
export function objectOf(properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

/** Returns such an object without any other field. */
export function closedObjectOf(properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json {
  return { ...objectOf(properties, optional), additionalProperties: false };
}

export function text(description: string, rest: Json = {}): Json {
  return { type: 'string', description, ...rest };
}

/** A time in UTC in the form `YYYY-MM-DD hh:mm:ss`. */
export const UTC_TIME: Json = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' };

/** An amount as the gateway writes it, always with two decimals. */
export const AMOUNT_OUT: Json = { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$', examples: ['10.00'] };

export const CURRENCY_OUT: Json = { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] };

export const MD5_SIGN: Json = {
  type: 'string',
  pattern: '^[A-Za-z0-9+\\/]{22}==$',
  description: 'The MD5 signature: see the security scheme `sign`',
};
