import { useQuery } from '@tanstack/react-query';
import { lengthNames, lengths } from '../../../shared/kinds/comparison/load-names.ts';
import { machineQuery } from '../../api/queries.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { printDuration } from '../../format/duration.ts';
import type { LaunchForm, SetField } from './form-shape.ts';

type Props = { form: LaunchForm; set: SetField };

/** Each length with the time that it is expected to take here. */
export function PlanField({ form, set }: Props) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <ChoiceCards
      look="segments"
      legend="Length"
      name="length"
      value={form.length}
      onChange={(length) => set({ length })}
      choices={lengthNames.map((length) => {
        const { title, precision, atMostS } = lengths[length];
        const expected = machine?.expected.find(
          (each) => each.length === length && each.target === form.targetKind,
        );
        const aside =
          expected === undefined
            ? `at most ${printDuration(atMostS)}`
            : `about ${printDuration(expected.seconds)}`;
        return { value: length, title, aside, body: `Difference in server CPU to ±${100 * precision} %` };
      })}
    />
  );
}
