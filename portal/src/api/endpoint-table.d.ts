declare module 'virtual:endpoints' {
  /** By endpoint: its method, its path, whether it is an act, whether it asks for a second proof, and whether it has a dry run. */
  const table: Readonly<
    Record<
      string,
      readonly [
        method: string,
        path: string,
        isAct: boolean,
        stepUp: boolean | 'passkey' | 'strongest',
        canRehearse: boolean,
      ]
    >
  >;
  export default table;
}
