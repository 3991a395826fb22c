declare module 'virtual:endpoints' {
  /**
   * Describes each endpoint by its name. `stepUp`: the action needs a second proof. `canRehearse`: it has a dry run. `boundBy`
   * names the rules that apply to it: `own`, the caller’s team’s; `operator`, only the operator’s; null, none.
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
