/** The words of a merchant's look on the payment page, in English. */
export const EN_BRAND = {
  brand: 'Payment page',
  saveBrand: 'Save branding',
  brandText: 'Payers see the changes immediately.',
  brandSame: 'There are no changes to save.',
  preview: 'Preview',
  schemes: { light: 'light', dark: 'dark' },
  removeLogo: 'Remove logo',
  logoHint: 'SVG with plain shapes, or PNG up to 512 × 512 pixels; at most 24 KiB',
  brandFields: {
    display_name: 'Name shown to payers',
    support_contact: 'Support contact: e-mail address or URL',
    terms_url: 'Terms',
    privacy_url: 'Privacy notice',
    brand_color: 'Colour',
    logo: 'Logo',
  },
};
