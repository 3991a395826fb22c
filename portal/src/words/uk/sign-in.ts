/** Ukrainian strings of the pages before sign-in: the sign-in page and invitation links. */
import type { SignInWords } from '../en/sign-in.ts';
import { FAILURE } from '../failure.ts';
import type { Translated } from '../translated.ts';

export const UK_SIGN_IN: Translated<SignInWords> = {
  ...FAILURE.uk,
  operator: 'Оператор',
  loading: 'Завантаження …',
  dueNow: 'час настав',
  none: 'немає',
  code: 'Код із застосунку-автентифікатора',
  passkeyCancelled: 'Ключ доступу не використано. Нічого не змінилося.',
  signIn: {
    title: 'Вхід',
    passkey: 'Увійти з ключем доступу',
    or: 'або за паролем',
    email: 'Електронна пошта',
    password: 'Пароль',
    submit: 'Увійти',
    openid: 'Увійти через організацію',
    failed: 'Увійти не вдалося. Перевірте введені дані та час на пристрої.',
  },
  join: {
    title: 'Ласкаво просимо',
    reset: 'Замініть свої засоби входу',
    invited: (role: string, whose: string) => `Вас запрошено в ролі «${role}»: ${whose}.`,
    name: 'Ваше ім’я',
    device: 'Назва цього пристрою',
    submit: 'Створити ключ доступу й увійти',
    invalid: 'Посилання недійсне: його використано, воно застаріло або замінене новішим. Попросіть нове.',
    until: 'Посилання дійсне до',
  },
  enter: {
    other: 'Інші способи',
    recovery: 'Код відновлення',
    recoverySubmit: 'Увійти з кодом відновлення',
    recoveryHint: 'Кожен код діє один раз. Потім додайте ключ доступу.',
    returned: 'Виконується вхід',
    known: 'Ви вже увійшли. Нову роль буде додано до вашого облікового запису.',
    join: 'Приєднатися',
    signInFirst: 'Уже маєте обліковий запис? Увійти',
  },
  roleNames: {
    owner: 'Власник',
    finance: 'Фінанси',
    approver: 'Погоджувач',
    developer: 'Розробник',
    support: 'Підтримка',
    viewer: 'Спостерігач',
    administrator: 'Адміністратор',
    operations: 'Операції',
    treasury: 'Казначейство',
    risk: 'Ризики',
    auditor: 'Аудитор',
  },
};
