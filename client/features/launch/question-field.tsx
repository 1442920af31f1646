import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { questionNames, questions } from '../../../shared/kinds/comparison/questions.ts';
import { questionProblem } from '../../../shared/words/question-words.ts';
import { managedServersQuery } from '../../api/queries.ts';
import type { LaunchForm, SetField } from './form-shape.ts';
import { askQuestion, placeOf, questionOf } from './question-form.ts';

/** Its title says all of it. */
const usual = questionNames[0];

/** Fills in both sides. Shows which question they ask, if it is one of these. */
export function QuestionField({ form, set }: { form: LaunchForm; set: SetField }) {
  const name = questionOf(form);
  const problem = useKTlsProblem(form);
  const choices = questionNames.map((value) => ({ value: value as string, label: questions[value].title }));
  return (
    <NativeSelect
      label="Question"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        name === null ? 'What the sides differ by.' : name === usual ? undefined : questions[name].tells
      }
      error={(name === null ? null : questionProblem(name, placeOf(form))) ?? problem}
      value={name ?? ''}
      onChange={(event) => {
        const chosen = questionNames.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) set(askQuestion(form, chosen));
      }}
      data={name === null ? [{ value: '', label: 'A question of your own' }, ...choices] : choices}
    />
  );
}

/** Why the chosen server cannot leave encryption to the kernel, where a side is to. */
function useKTlsProblem(form: LaunchForm): string | null {
  const { targetKind, server, 'target.kTls': both, 'sides.comparison.target.kTls': other } = form;
  const asked = targetKind === 'managed' && (other === '' ? both : other === 'true' || both);
  const { data: found } = useQuery({ ...managedServersQuery, enabled: asked });
  return asked ? (found?.find(({ name }) => name === server)?.kTlsProblem ?? null) : null;
}
