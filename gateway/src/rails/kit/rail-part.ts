/** What the file of each rail here holds: its variables, the rules between them, and what they make. */
import type { Environment } from '../../foundation/environment.ts';
import type { Rule, ValuesOf, Variables } from '../../foundation/variables.ts';

export interface RailPart<Own extends Variables, Configuration> {
  readonly variables: Own;
  /** The variable that switches the rail on; null: it is always on. */
  readonly isOnWith: (keyof Own & string) | null;
  /** True where the provider calls PUBLIC_URL, or payers come back to it. */
  readonly isReached: boolean;
  /** The variables that list from where notifications are believed without a signature. */
  readonly allowLists?: readonly (keyof Own & string)[];
  readonly rules: readonly Rule<ValuesOf<Own> & OwnAddress>[];
  /** Null: the rail is not configured. Called once no fault was found. */
  configure(values: ValuesOf<Own>, place: RailPlace): Configuration | null;
  keyFiles?(configuration: Configuration): readonly KeyFile[];
}

/** A file that a rail can't do without, for whoever looks at an installation. */
export interface KeyFile {
  /** The variable that names it. */
  readonly variable: string;
  readonly path: string;
  readonly holds: 'RSA private key' | 'Ed25519 private key' | 'private key' | 'RSA public key' | 'certificate';
  /** Who makes it where it is missing: nobody but in development. */
  readonly maker: 'nobody' | 'gateway' | 'simulator';
}

/** The gateway's own address, as its rules read it. */
type OwnAddress = Readonly<Record<'PUBLIC_URL' | 'PORT', unknown>>;

export interface RailPlace {
  readonly environment: Environment;
  /** Where providers call us, but for the rail's name behind it. */
  readonly notificationsUrl: string;
}
