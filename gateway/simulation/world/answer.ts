/** The response of the gateway to a request over the simulated network. */

/** `lost`: the client does not know anything about its request. Header names are in lower case. */
export type Answer =
  | 'lost'
  | { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> };
