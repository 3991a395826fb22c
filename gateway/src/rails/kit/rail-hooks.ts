/** Events that a rail reports to the operator, in addition to its responses. Hooks must not throw. */
export interface RailHooks {
  /** The provider refuses our credentials. No request succeeds until the operator corrects them. */
  readonly onCredentialRefused: (rail: string) => void;
}
