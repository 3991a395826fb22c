/** The test cards of the hosted form for merchants, from the simulator's table. */
import { type Behaviour, behaviourOf, cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';

const CARDS = [
  '4111111111111111',
  '5201281505129736',
  '5454545454545454',
  '4212345678910006',
  cardRefusedFor('2'),
  cardRefusedFor('12'),
  ...['03', '04', '01'].map((digits) => madeUpCard('1', digits)),
];

const STEPS: Partial<Record<Behaviour['authentication'], string>> = {
  none: '',
  fingerprint: 'a silent check of the browser, then ',
  challenge: 'the bank asks for a code, `123456`, then ',
  fingerprint_challenge: 'a silent check and a code, `123456`, then ',
};

const PAID = '`success`';
const FAILED = '`fail`, after the last attempt or at the expiry';

const ENDS: Partial<Record<Behaviour['outcome'], readonly [payer: string, callback: string]>> = {
  authorise: ['paid', PAID],
  refuse: ['declined', FAILED],
  pending_authorise: ['pending, then paid', PAID],
  pending_refuse: ['pending, then declined', FAILED],
  silent_authorise: ['no response in time, then paid', PAID],
};

/** Throws for a card whose behaviour has no description here. */
export function testCardRows(): readonly (readonly string[])[] {
  return CARDS.map((number) => {
    const { authentication, outcome, refusalCode } = behaviourOf(number);
    const step = STEPS[authentication];
    const [payer, callback] = ENDS[outcome] ?? [];
    if (step === undefined || payer === undefined || callback === undefined) throw new Error(`no words for ${number}`);
    const reason = refusalCode === '12' ? ' for lack of money' : '';
    return [`\`${number.replace(/(?<=\d)(?=(?:\d{4})+$)/g, ' ')}\``, `${step}${payer}${reason}`, callback];
  });
}
