declare module 'virtual:endpoints' {
  /**
   * By endpoint: its method, its path, whether it is an action, whether it asks for a second proof, whether it has a dry run,
   * and whose rules can bind it: `own` every team’s, `operator` the operator’s, null none.
   */
  const table: Readonly<
    Record<
      string,
      readonly [
        method: string,
        path: string,
        isAct: boolean,
        stepUp: boolean | 'passkey' | 'strongest',
        canRehearse: boolean,
        boundBy: string | null,
      ]
    >
  >;
  export default table;
}
