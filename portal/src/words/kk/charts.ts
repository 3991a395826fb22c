/** Kazakh strings of charts, bulk actions and exports. */
import type { EN_CHARTS } from '../en/charts.ts';
import type { Translated } from '../translated.ts';

export const KK_CHARTS: Translated<typeof EN_CHARTS> = {
  charts: {
    title: 'Графиктер',
    asTable: 'Кесте түрінде',
    time: 'Уақыты',
    range: 'Кезең',
    days: (count: string) => `${count} күн`,
    currency: 'Валюта',
    units: { ms: 'мс', s: 'с', min: 'мин', h: 'сағ', d: 'күн' },
    split: 'Бөлу',
    splits: { rail: 'Арнасы бойынша', method: 'Әдісі бойынша' },
    paidOut: 'Төленгені',
    paidIn: 'Түскені',
    successRate: 'Сәтті төлемдер, пайызбен',
    waits: 'Төлем нәтижесіне дейінгі уақыт',
    other: 'Басқалары',
    nothing: 'Бұл кезеңде осы валютада бірде-бір төлем аяқталған жоқ.',
    results: 'Нәтижелер',
    within: 'Ішінде',
    balances: 'Баланс уақыт бойынша',
    acceptance: 'Хабарлама жеткізу әрекеттері, сағат бойынша (UTC)',
    pace: 'Хабарламалардың сағат бойынша кідірісі (UTC)',
    attempts: 'Әрекеттер',
    accepted: 'Қабылданды',
    noAttempts: 'Соңғы 48 сағатта бірде-бір хабарлама жіберілген жоқ.',
    counted: (count: string) => `Соңғы 48 сағаттың ең жаңа хабарламалары бойынша есептелді: ${count}`,
    none: 'әдіссіз',
  },
  bulk: {
    resend: 'Жеткізілмегендерін қайта жіберу',
    resendText: 'Шлюз осы тізімдегі жеткізілмеген әр хабарламаны жеке әрекетпен қайта жібереді.',
    cancel: 'Аяқталмағандарынан бас тарту',
    cancelText:
      'Осы тізімдегі ешбір банкке жетпеген әр шығыс төлемнен бас тартылады. Оның ақшасы резервтен босатылады.',
    none: 'Бұл тізімде әрекетке сай ештеңе жоқ.',
    result: 'Нәтиже',
    stop: 'Тоқтату',
    more: (count: string) => `Тек ең жаңа ${count} көрсетілген. Сүзгілерді тарылтыңыз немесе әрекетті қайталаңыз.`,
    states: {
      waiting: 'Кезекте',
      done: 'Орындалды',
      proposed: 'Екінші адамды күтеді',
      rejected: 'Мүмкін емес',
      unknown: 'Жауап жоқ',
    },
  },
  exports: {
    title: 'Экспорт',
    cancel: 'Бас тарту',
    download: 'Жүктеу',
    rows: (count: string) => `жолдар: ${count}`,
    states: { running: 'орындалуда', done: 'дайын', cancelled: 'бас тартылды', failed: 'сәтсіз: қайта бастаңыз' },
  },
};
