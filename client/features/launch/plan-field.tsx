import type { PresetCard } from '../../../shared/api/server-endpoints.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { printExpectation } from '../../format/duration.ts';
import type { LaunchForm, SetField } from './form-shape.ts';

type Props = { form: LaunchForm; set: SetField; cards: PresetCard[] | undefined };

export function PlanField({ form, set, cards }: Props) {
  const choices = cards?.map((card) => ({
    value: card.preset,
    title: card.title,
    aside: printTime(card, form.targetKind),
    body: `Finds differences of ${printShare(card.detectable)} in server CPU`,
  }));
  return (
    <ChoiceCards
      look="segments"
      legend="Plan"
      name="preset"
      value={form.preset}
      onChange={(preset) => set({ preset })}
      choices={
        choices ?? [
          { value: 'quick', title: 'Quick', aside: '30 s', body: 'Finds a difference in server CPU' },
        ]
      }
    />
  );
}

function printTime(card: PresetCard, targetKind: LaunchForm['targetKind']): string {
  const { expectedS, maximumS } = targetKind === 'storefront' ? card : card.byTarget[targetKind];
  return printExpectation(expectedS, maximumS);
}
