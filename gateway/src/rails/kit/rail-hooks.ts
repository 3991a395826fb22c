/** What a rail tells whoever runs the gateway, beside its answers. Hooks must not throw. */
export interface RailHooks {
  /** The provider refuses who we say we are: nothing goes through until a person mends it. */
  readonly onCredentialRefused: (rail: string) => void;
}
