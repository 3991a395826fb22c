/** Kazakh strings of the pages before sign-in: the sign-in page and invitation links. */
import type { SignInWords } from '../en/sign-in.ts';
import { FAILURE } from '../failure.ts';
import type { Translated } from '../translated.ts';

export const KK_SIGN_IN: Translated<SignInWords> = {
  ...FAILURE.kk,
  operator: 'Оператор',
  loading: 'Жүктелуде …',
  dueNow: 'уақыты келді',
  none: 'жоқ',
  code: 'Аутентификатор қолданбасындағы код',
  passkeyCancelled: 'Кіру кілті пайдаланылмады. Ештеңе өзгерген жоқ.',
  signIn: {
    title: 'Кіру',
    passkey: 'Кіру кілтімен кіру',
    or: 'немесе құпиясөзбен',
    email: 'Электрондық пошта',
    password: 'Құпиясөз',
    submit: 'Кіру',
    openid: 'Ұйымыңыз арқылы кіру',
    failed: 'Кіру мүмкін болмады. Енгізген деректеріңізді және құрылғыдағы уақытты тексеріңіз.',
  },
  join: {
    title: 'Қош келдіңіз',
    reset: 'Кіру деректеріңізді ауыстырыңыз',
    invited: (role: string, whose: string) => `Сіз «${role}» рөліне шақырылдыңыз: ${whose}.`,
    name: 'Атыңыз',
    device: 'Осы құрылғының атауы',
    submit: 'Кіру кілтін жасап, кіру',
    invalid: 'Сілтеме жарамсыз: ол пайдаланылған, мерзімі өткен немесе жаңасымен ауыстырылған. Жаңа сілтеме сұраңыз.',
    until: 'Сілтеменің жарамдылық мерзімі:',
  },
  enter: {
    other: 'Басқа тәсілдер',
    recovery: 'Қалпына келтіру коды',
    recoverySubmit: 'Қалпына келтіру кодымен кіру',
    recoveryHint: 'Әр код бір рет жарайды. Содан кейін кіру кілтін қосыңыз.',
    returned: 'Кіру орындалуда',
    known: 'Сіз кіріп тұрсыз. Жаңа рөл тіркелгіңізге қосылады.',
    join: 'Қосылу',
    signInFirst: 'Тіркелгіңіз бар ма? Кіру',
  },
  roleNames: {
    owner: 'Иесі',
    finance: 'Қаржы',
    approver: 'Мақұлдаушы',
    developer: 'Әзірлеуші',
    support: 'Қолдау',
    viewer: 'Бақылаушы',
    administrator: 'Әкімші',
    operations: 'Операциялар',
    treasury: 'Қазынашылық',
    risk: 'Тәуекел',
    auditor: 'Аудитор',
  },
};
