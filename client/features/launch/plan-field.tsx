import type { PresetCard } from '../../../shared/api/server-endpoints.ts';
import { capitalized } from '../../../shared/base/capitalized.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { printExpectation } from '../../format/duration.ts';
import type { LaunchForm, SetField } from './form-shape.ts';

type Props = { form: LaunchForm; set: SetField; cards: PresetCard[] | undefined };

export function PlanField({ form, set, cards }: Props) {
  const choices = cards?.map((card) => ({
    value: card.preset,
    title: card.title,
    body: <PlanBody card={card} targetKind={form.targetKind} />,
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

type BodyProps = { card: PresetCard } & Pick<LaunchForm, 'targetKind'>;

function PlanBody({ card, targetKind }: BodyProps) {
  const { expectedS, maximumS } = targetKind === 'storefront' ? card : card.byTarget[targetKind];
  return (
    <>
      <span>{sentence(printExpectation(expectedS, maximumS))}</span>
      <span>Detects {printShare(card.detectable)} of server CPU.</span>
    </>
  );
}

function sentence(text: string): string {
  return `${capitalized(text)}.`;
}
