/** Builds the demo's pages if their sources changed, and creates a sign-in link for its operator and for its merchant. */
import type { Gateway } from '../../gateway/src/main/compose/compose.ts';
import { buildPortal } from '../../portal/build.ts';

/** A user of the demo. The link is null for a user of an earlier start, whose passkey is in the browser. */
export interface DemoPerson {
  readonly who: string;
  readonly link: string | null;
}

/** Resolves to false if the packages that build the pages are not installed. */
export async function buildPages(): Promise<boolean> {
  try {
    await buildPortal();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
}

export async function inviteDemoPeople(
  { people }: Pick<Gateway['operations'], 'people'>,
  merchantId: string,
): Promise<DemoPerson[]> {
  const invite = async (who: string, role: string, whose: string | null): Promise<DemoPerson> => {
    const email = `${who}@demo.example`;
    const invited = await people.invite({ email, merchantId: whose, role });
    if (!invited.ok && invited.error !== 'already_a_member')
      throw new Error(`the demo's ${who} was not invited: ${invited.error}`);
    return { who, link: invited.ok ? invited.value.link.reveal() : null };
  };
  return [await invite('operator', 'administrator', null), await invite('merchant', 'owner', merchantId)];
}
