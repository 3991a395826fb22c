declare module 'virtual:endpoints' {
  /** By endpoint: its method, its path, whether it is an act, and whether it asks for a second proof. */
  const table: Readonly<
    Record<string, readonly [method: string, path: string, isAct: boolean, stepUp: boolean | 'passkey']>
  >;
  export default table;
}
