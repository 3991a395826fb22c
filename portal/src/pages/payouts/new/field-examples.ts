/** An example of each format of a payout field: valid input, in any language. */
const EXAMPLES: Readonly<Record<string, string>> = {
  amount: '100.00',
  card: '4111111111111111',
  visaCard: '4111111111111111',
  mastercard: '5555555555554444',
  sandboxCard: '4111111111111111',
  expiry: '12/39',
  kazakhMobile: '77011234567',
  bankAccount: '50100012345678',
  ukrainianIban: 'UA213223130000026007233566001',
  accountOrEmail: 'name@example.com',
  personName: 'Olena Koval',
  latinName: 'Olena Koval',
  address: 'Lange Straße 7',
  postCode: '50667',
  birthday: '29-02-1988',
  id: 'user-1',
  indianPhone: '+919876543210',
  phone: '+380501234567',
  phonePlusOptional: '+14165550123',
  ifsc: 'HDFC0000001',
  email: 'name@example.com',
  ip: '203.0.113.7',
  country: 'DE',
  inn: '3184710691',
  customs_city: 'Köln',
  customs_state: 'Nordrhein-Westfalen',
};

/** Some fields have their own example. */
export function exampleOf({ name, format }: { readonly name: string; readonly format: string }): string {
  return EXAMPLES[name] ?? EXAMPLES[format] ?? '';
}
