/** What the sandbox needs to know. */
export interface SandboxConfiguration {
  /** The one card number that succeeds (decisions, Requests: sandbox). It is public: no money hangs on it. */
  readonly successCard: string;
}
