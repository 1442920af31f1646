import type { PresetCard } from '../../../shared/api/server-endpoints.ts';
import { printShare } from '../../../shared/quantity.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { printExpectation } from '../../format/duration.ts';
import type { LaunchForm, SetField } from './form-shape.ts';

type Props = { form: LaunchForm; set: SetField; cards: PresetCard[] | undefined };

export function PlanField({ form, set, cards }: Props) {
  const choices = cards?.map((card) => ({
    value: card.preset,
    title: card.title,
    body: <PlanBody card={card} {...form} />,
  }));
  return (
    <ChoiceCards
      legend="Plan"
      name="preset"
      value={form.preset}
      onChange={(preset) => set({ preset })}
      choices={choices ?? [{ value: 'quick', title: 'Quick', body: 'About 30 s.' }]}
    />
  );
}

type BodyProps = { card: PresetCard } & Pick<LaunchForm, 'engine' | 'targetKind'>;

function PlanBody({ card, engine, targetKind }: BodyProps) {
  const built = targetKind === 'storefront' ? card : card.byTarget[targetKind];
  const { expectedS, maximumS } = engine === 'built-in' ? built : card.byEngine[engine];
  return (
    <>
      <span>{sentence(printExpectation(expectedS, maximumS))}</span>
      {engine === 'built-in' ? <span>Detects {printShare(card.detectable)} of server CPU.</span> : null}
    </>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
