/** Charts, in Ukrainian. */
import type { EN_CHARTS } from './en-charts.ts';
import type { Translated } from './translated.ts';

export const UK_CHARTS: Translated<typeof EN_CHARTS> = {
  charts: {
    title: 'Графіки',
    asTable: 'Те саме таблицею',
    time: 'Час',
    range: 'Період',
    days: (count: string) => `${count} дн.`,
    currency: 'Валюта',
    split: 'За',
    splits: { rail: 'Шляхом', method: 'Методом' },
    paidOut: 'Виплачено',
    paidIn: 'Отримано',
    successRate: 'Успішні виплати, у відсотках',
    waits: 'Час до результату виплат',
    other: 'Інші',
    nothing: 'За цей час жоден платіж у цій валюті не завершився.',
    results: 'Результати',
    within: 'За',
    longer: 'довше',
    balances: 'Баланс у часі',
    pace: 'Затримка сповіщень за годинами (UTC)',
    attempts: 'Спроби',
    accepted: 'Прийнято',
    noAttempts: 'За останні 48 годин жодного сповіщення не надіслано.',
    counted: (count: string) => `Пораховано за найновішими сповіщеннями останніх 48 годин: ${count}`,
    none: 'без методу',
  },
};
