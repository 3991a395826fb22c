/** The words of a merchant's look on the payment page, in Ukrainian. */
import type { EN_BRAND } from '../en/brand.ts';

export const UK_BRAND: typeof EN_BRAND = {
  brand: 'Сторінка оплати',
  saveBrand: 'Зберегти вигляд',
  brandText: 'Платники побачать це одразу.',
  brandSame: 'Ще нічого не змінено.',
  preview: 'Попередній перегляд',
  schemes: { light: 'світла', dark: 'темна' },
  removeLogo: 'Прибрати логотип',
  logoHint: 'SVG з простих фігур або PNG до 512 × 512; не більше 24 КіБ',
  brandFields: {
    display_name: 'Назва, яку бачать платники',
    support_contact: 'Підтримка: пошта або адреса',
    terms_url: 'Умови',
    privacy_url: 'Конфіденційність',
    brand_color: 'Колір',
    logo: 'Логотип',
  },
};
