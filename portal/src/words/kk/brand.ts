/** The words of a merchant's look on the payment page, in Kazakh. */
import type { EN_BRAND } from '../en/brand.ts';

export const KK_BRAND: typeof EN_BRAND = {
  brand: 'Төлем беті',
  saveBrand: 'Көріністі сақтау',
  brandText: 'Төлеушілер бірден көреді.',
  brandSame: 'Әзірге ештеңе өзгерген жоқ.',
  preview: 'Алдын ала қарау',
  schemes: { light: 'ашық', dark: 'күңгірт' },
  removeLogo: 'Логотипті алып тастау',
  logoHint: 'Қарапайым пішіндерден SVG немесе 512 × 512 пиксельге дейінгі PNG; ең көбі 24 КиБ',
  brandFields: {
    display_name: 'Төлеушілер көретін атау',
    support_contact: 'Қолдау: пошта не мекенжай',
    terms_url: 'Шарттар',
    privacy_url: 'Құпиялылық',
    brand_color: 'Түс',
    logo: 'Логотип',
  },
};
