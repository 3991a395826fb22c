/** The user menu: account, other teams, language and sign-out. */
import { type ReactNode, useRef } from 'react';
import { call } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { openPage } from '../parts/links/address.ts';
import { LANGUAGES, type Language } from '../words/languages.ts';
import { useSpeech } from '../words/words.ts';
import { leave } from './leave.ts';

const ID = 'person-menu';

export function PersonMenu() {
  const {
    words: { navigation, operator, roleNames, language: title },
    language,
    choose,
  } = useSpeech();
  const { person, memberships, merchantId, isViewing } = useSession();
  const menu = useRef<HTMLDivElement>(null);
  const others = isViewing ? [] : memberships.filter((each) => each.merchantId !== merchantId);
  const item = (text: ReactNode, act: () => unknown, more: object = {}) => (
    <button
      key={String(text)}
      type="button"
      onClick={() => {
        menu.current?.hidePopover();
        void act();
      }}
      {...more}
    >
      {text}
    </button>
  );
  return (
    <>
      <button type="button" className="plain" popoverTarget={ID}>
        {person.name}
      </button>
      <div id={ID} ref={menu} popover="auto" className="person-menu">
        <p>{person.email}</p>
        {item(navigation.account, () => openPage('/account'))}
        {others.map(({ merchantId: other, role }) =>
          item(`${navigation.actFor} ${other ?? operator} (${roleNames[role] ?? role})`, () =>
            leave(() => call('session.switch', { body: { merchantId: other } }), '/'),
          ),
        )}
        {merchantId === null ? null : (
          <>
            <p>{title}</p>
            {Object.entries(LANGUAGES).map(([tag, name]) =>
              item(name, () => choose(tag as Language), { lang: tag, 'aria-current': tag === language || undefined }),
            )}
            <hr />
          </>
        )}
        {item(navigation.signOut, () => leave(() => call('session.end'), '/sign-in'))}
      </div>
    </>
  );
}
