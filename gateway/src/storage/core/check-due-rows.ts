/**
 * An idle worker claims from each rail four times a second, and a claim is an expensive statement even if it finds nothing. So
 * after an empty claim, the next claim first checks whether a row is due. The claim itself decides which rows it acquires.
 */
export type DueRowCheck = <Claim>(
  rail: string,
  isDue: () => Promise<boolean>,
  claim: () => Promise<readonly Claim[]>,
) => Promise<readonly Claim[]>;

export function createDueRowCheck(): DueRowCheck {
  const idle = new Set<string>();
  return async (rail, isDue, claim) => {
    if (idle.has(rail) && !(await isDue())) return [];
    const claims = await claim();
    if (claims.length > 0) idle.delete(rail);
    else idle.add(rail);
    return claims;
  };
}
