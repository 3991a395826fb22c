/** The error of every lister whose provider returned an incomplete list, because a partial list does not prove anything. */
export class ListIncomplete extends Error {
  override readonly name = 'ListIncomplete';
}
