/** The words of a merchant's look on the payment page, in English. */
export const EN_BRAND = {
  brand: 'Payment page',
  saveBrand: 'Save the look',
  brandText: 'Payers see it at once.',
  brandSame: 'Nothing is changed yet.',
  preview: 'Preview',
  schemes: { light: 'light', dark: 'dark' },
  removeLogo: 'Remove the logo',
  logoHint: 'SVG of plain shapes, or PNG up to 512 × 512; at most 24 KiB',
  brandFields: {
    display_name: 'Name that payers see',
    support_contact: 'Support: e-mail or address',
    terms_url: 'Terms',
    privacy_url: 'Privacy notice',
    brand_color: 'Colour',
    logo: 'Logo',
  },
};
