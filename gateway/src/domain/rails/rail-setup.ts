/** The connection of a rail to its provider: the missing variables, and a live test. */

/** The setup of the process that serves the request. It contains no value of a variable. */
export interface RailSetup {
  readonly name: string;
  readonly variables: readonly {
    readonly name: string;
    readonly meaning: string;
    /** The accepted values. */
    readonly accepts: string;
    /** `missing`: the rail needs it. `default`: unset, and its default applies. */
    readonly state: 'set' | 'default' | 'missing' | 'optional';
  }[];
}

export interface RailFinding {
  readonly about: 'address' | 'credentials';
  /** `unknown`: no read at this provider proves it. */
  readonly result: 'success' | 'failed' | 'unknown';
  readonly found: string;
  readonly remedy: string;
}
