/** The Ukrainian texts of the pages of the request log. */
import type { EN_REQUESTS } from './en-requests.ts';

export const UK_REQUESTS: typeof EN_REQUESTS = {
  requests: {
    title: 'Запити',
    empty: 'Немає таких запитів. Шлюз 14 днів зберігає останні відхилені запити та вибірку прийнятих.',
    id: 'Запит',
    received: 'Отримано',
    endpoint: 'Адреса інтерфейсу',
    outcome: 'Результат',
    reason: 'Причина',
    about: 'Платіж',
    from: 'Звідки',
    answered: 'Код HTTP',
    took: 'Тривалість',
    headers: 'Заголовки',
    request: 'Запит',
    reply: 'Відповідь',
    notKept: 'Журнал цього не зберігає.',
    cut: 'Це перші байти. Усього байтів:',
    unproven: 'Відправника не підтверджено. Запит від вашого імені міг надіслати хтось сторонній.',
    doctor: 'Перевірка підпису',
    ask: 'Перевірити підпис',
    right: 'З нинішніми ключами цей підпис правильний.',
    noKey: 'Для цієї адреси немає ключа.',
    unknown: 'Жодна відома помилка не дає такого підпису.',
    expected: 'Підпишіть цей текст',
    signed: 'Підписано було цей текст',
    differsAt: 'Тексти різняться, починаючи з байта:',
  },
};
