/** The banks' side of the demo, all of it simulators: opened together, each with what the demo asks of it. */
import { type BankSide, bankPlan, bankSide } from './bank-side.ts';
import type { DemoSettings } from './demo-settings.ts';
import { formPlan } from './form/form-provider.ts';
import { screen } from './screen.ts';
import { openSimulators, portOf, type Simulator } from './simulator.ts';
import { type StpSide, stpPlan, stpSide } from './stp-side.ts';

export interface Banks {
  readonly bank: BankSide;
  readonly stp: StpSide;
  /** Prints where each is. */
  show(): void;
  close(): Promise<void>;
}

export async function openBanks(settings: DemoSettings, gatewayUrl: string): Promise<Banks> {
  const { bank, stp, form, config } = settings;
  const options = { gatewayUrl, dataDir: config.dataDir };
  const plans = [
    bankPlan(bank, options),
    stpPlan(stp, options),
    ...form.map((place) => formPlan(place, config.rails, options)),
  ] as const;
  const { opened, close } = await openSimulators(plans, (line) => screen.event('·', line));
  const [atBank, atStp, ...atProviders] = opened as readonly [Simulator, Simulator, ...Simulator[]];
  return {
    bank: bankSide(atBank),
    stp: stpSide(stp, atStp),
    show() {
      screen.done('Bank', `${bank.url}, a stand-in${whose(atBank)}; no money moves`);
      screen.done('STP', `${stp.url}, its simulator${whose(atStp)}; no money moves`);
      const running = form.filter((_place, at) => !atProviders[at]?.isOurs).map(({ provider }) => provider.name);
      screen.done(
        'Providers',
        `${form.map(({ provider, url }) => `${provider.name} ${portOf(url)}`).join(', ')}: simulators too`,
        ...(running.length > 0 ? [`which were running already: ${running.join(', ')}`] : []),
      );
    },
    close,
  };
}

function whose(simulator: Simulator | undefined): string {
  return simulator?.isOurs ? '' : ', which was running already';
}
