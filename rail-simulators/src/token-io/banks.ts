/**
 * The simulated banks of Token.io: a few hundred fictional banks in many countries. Some names share their beginning, some
 * contain non-ASCII letters, some banks exist in several countries, and a few lack a capability. The list is constant.
 */

export interface Bank {
  readonly id: string;
  readonly name: string;
  readonly bic: string;
  readonly countries: readonly string[];
  readonly group: string;
  readonly instruments: readonly string[];
  readonly supportsSinglePayment: boolean;
}

interface Land {
  /** Names in which `*` is replaced by a place. */
  readonly families: readonly string[];
  readonly places: readonly string[];
}

const LANDS: Readonly<Record<string, Land>> = {
  AT: {
    families: ['Bergbank *', 'Genossenschaftsbank *'],
    places: ['Wien', 'Graz', 'Linz', 'Salzburg', 'Innsbruck', 'Klagenfurt', 'St. Pölten', 'Zwettl', 'Mürzzuschlag'],
  },
  BE: {
    families: ['Beursbank *', 'Caisse commune *'],
    places: ['Bruxelles', 'Antwerpen', 'Gent', 'Liège', 'Namur', 'Leuven', 'Brugge', 'Mons'],
  },
  DE: {
    families: ['Stadtsparbank *', 'Bürgerbank *', 'Handwerksbank *'],
    places: [
      'Berlin',
      'Köln',
      'München',
      'Düsseldorf',
      'Lübeck',
      'Nürnberg',
      'Göttingen',
      'Würzburg',
      'Osnabrück',
      'Görlitz',
      'Hamburg',
      'Leipzig',
      'Saarbrücken',
      'Tübingen',
      'Weißenfels',
    ],
  },
  EE: { families: ['Saarte Pank *'], places: ['Tallinn', 'Tartu', 'Pärnu', 'Võru', 'Jõhvi'] },
  ES: {
    families: ['Banca del Puerto *', 'Caja Común *'],
    places: ['Madrid', 'Málaga', 'Cádiz', 'Logroño', 'Gijón', 'A Coruña', 'León', 'Jaén', 'Almería', 'València'],
  },
  FI: {
    families: ['Järvipankki *', 'Osuuskassa *'],
    places: ['Helsinki', 'Hämeenlinna', 'Jyväskylä', 'Kööpenhaara', 'Seinäjoki', 'Äänekoski', 'Oulu', 'Turku'],
  },
  FR: {
    families: ['Banque régionale de *', 'Caisse solidaire de *', 'Crédit commun de *'],
    places: [
      'Paris',
      'Besançon',
      'Orléans',
      'Nîmes',
      'Saint-Étienne',
      'Évry',
      'Béziers',
      'Angoulême',
      'Châlons',
      'Lyon',
      'Nevers',
      'Sète',
    ],
  },
  GR: { families: ['Τράπεζα του Λιμανιού *'], places: ['Αθήνα', 'Πάτρα', 'Βόλος', 'Χανιά', 'Ρόδος'] },
  IE: {
    families: ['Harbour Bank *', 'Credit Circle *'],
    places: ['Dublin', 'Cork', 'Galway', 'Dún Laoghaire', 'Sligo'],
  },
  IT: {
    families: ['Banca del Borgo *', 'Cassa Popolare *'],
    places: ['Roma', 'Milano', 'Forlì', 'Cefalù', 'Cantù', 'Torino', 'Mondovì', 'Napoli', 'Bari', 'Genova'],
  },
  LT: { families: ['Gintaro bankas *'], places: ['Vilnius', 'Kaunas', 'Šiauliai', 'Panevėžys', 'Klaipėda'] },
  LV: { families: ['Dzintara banka *'], places: ['Rīga', 'Liepāja', 'Jūrmala', 'Rēzekne', 'Valmiera'] },
  NL: {
    families: ['Grachtenbank *', 'Onderlinge *'],
    places: ['Amsterdam', 'Rotterdam', 'Den Haag', 'Utrecht', 'Groningen', 'Zwolle', 'Breda', 'Arnhem'],
  },
  PT: {
    families: ['Banco da Ria *', 'Caixa Mútua *'],
    places: ['Lisboa', 'Évora', 'Setúbal', 'Guimarães', 'Bragança', 'Portimão', 'Chaves', 'Faro'],
  },
  SI: { families: ['Rečna banka *'], places: ['Ljubljana', 'Maribor', 'Škofja Loka', 'Žalec', 'Črnomelj'] },
  SK: { families: ['Hradná banka *'], places: ['Bratislava', 'Košice', 'Žilina', 'Prešov', 'Trenčín', 'Ľubica'] },
};

const EVERYWHERE: readonly Bank[] = [
  {
    id: 'nordlys',
    name: 'Nordlys Bank',
    bic: 'NRDLFIH1XXX',
    countries: ['EE', 'FI', 'LT', 'LV'],
    group: 'Nordlys',
    instruments: ['SEPA', 'SEPA_INSTANT'],
    supportsSinglePayment: true,
  },
  {
    id: 'nordlys-business',
    name: 'Nordlys Bank Business',
    bic: 'NRDLFIH1BUS',
    countries: ['FI', 'EE'],
    group: 'Nordlys',
    instruments: ['SEPA', 'SEPA_INSTANT'],
    supportsSinglePayment: true,
  },
  {
    id: 'pocket-euro',
    name: 'Pocket €uro',
    bic: '',
    countries: ['BE', 'DE', 'ES', 'FR', 'IE', 'NL'],
    group: '',
    instruments: ['SEPA', 'SEPA_INSTANT'],
    supportsSinglePayment: true,
  },
  {
    id: 'slow-sepa',
    name: 'Slow SEPA Bank',
    bic: 'SLOWDEF1',
    countries: ['DE'],
    group: '',
    instruments: ['SEPA'],
    supportsSinglePayment: true,
  },
  {
    id: 'data-only',
    name: 'Data Only Bank',
    bic: 'DATADEF1',
    countries: ['DE'],
    group: '',
    instruments: ['SEPA', 'SEPA_INSTANT'],
    supportsSinglePayment: false,
  },
];

export const BANKS: readonly Bank[] = [...Object.entries(LANDS).flatMap(banksOf), ...EVERYWHERE];

const BY_ID = new Map(BANKS.map((bank) => [bank.id, bank]));

export function bankOf(id: string): Bank | undefined {
  return BY_ID.get(id);
}

/** Creates the banks of a country. Every seventh bank has no BIC, every ninth no instant transfers. */
function banksOf([country, { families, places }]: readonly [string, Land]): Bank[] {
  const names = families.flatMap((family) => places.map((place) => [family, family.replace('*', place)] as const));
  return names.map(([family, name], at) => ({
    id: `ob-${country.toLowerCase()}-${String(at + 1).padStart(3, '0')}`,
    name,
    bic: at % 7 === 6 ? '' : `${lettersOf(at)}${country}21XXX`,
    countries: [country],
    group: family.replace(' *', ''),
    instruments: at % 9 === 8 ? ['SEPA'] : ['SEPA', 'SEPA_INSTANT'],
    supportsSinglePayment: true,
  }));
}

function lettersOf(number: number): string {
  return `SI${String.fromCharCode(65 + Math.floor(number / 26))}${String.fromCharCode(65 + (number % 26))}`;
}
