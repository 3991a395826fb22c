/** The gateway's response to a request over the simulated network. */

/** `lost` means that the client cannot know what happened to its request. Header names are in lower case. */
export type Answer =
  | 'lost'
  | { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> };
