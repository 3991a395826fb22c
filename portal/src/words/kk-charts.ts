/** Charts, in Kazakh. */
import type { EN_CHARTS } from './en-charts.ts';
import type { Translated } from './translated.ts';

export const KK_CHARTS: Translated<typeof EN_CHARTS> = {
  charts: {
    title: 'Графиктер',
    asTable: 'Сол деректер кестеде',
    time: 'Уақыты',
    range: 'Кезең',
    days: (count: string) => `${count} күн`,
    currency: 'Валюта',
    split: 'Бөлу',
    splits: { rail: 'Жолы бойынша', method: 'Әдісі бойынша' },
    paidOut: 'Төленгені',
    paidIn: 'Түскені',
    successRate: 'Сәтті төлемдер, пайызбен',
    waits: 'Төлем нәтижесіне дейінгі уақыт',
    other: 'Басқалары',
    nothing: 'Бұл кезеңде осы валютада бірде-бір төлем аяқталған жоқ.',
    results: 'Нәтижелер',
    within: 'Ішінде',
    longer: 'ұзағырақ',
    balances: 'Баланс уақыт бойынша',
    pace: 'Хабарламалардың сағат бойынша кідірісі (UTC)',
    attempts: 'Әрекеттер',
    accepted: 'Қабылданды',
    noAttempts: 'Соңғы 48 сағатта бірде-бір хабарлама жіберілген жоқ.',
    counted: (count: string) => `Соңғы 48 сағаттың ең жаңа хабарламалары бойынша есептелді: ${count}`,
    none: 'әдіссіз',
  },
};
