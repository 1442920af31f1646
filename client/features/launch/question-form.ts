import { valueIn } from '../../../shared/base/option.ts';
import {
  canAnswer,
  otherServerThan,
  type Place,
  type QuestionName,
  questionNames,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { fieldOf } from '../../format/option-field.ts';
import { emptyForm, type LaunchForm, ownFieldOf, sideRows } from './form-shape.ts';

/** Questions on the form: one is chosen, or what the two columns say is one. */

/** Form fields that a question sets: its two columns, on a target that can answer it. */
export function askQuestion(form: LaunchForm, name: QuestionName): Partial<LaunchForm> {
  const place = placeFor(form, name);
  return {
    ...place,
    ...fillSides({ ...form, ...place }, name),
    ...{ 'sides.baseline.name': '', 'sides.comparison.name': '' },
    ...fillBoth(form, name),
  };
}

/** Null for sides that are none of them. */
export function questionOf(form: LaunchForm): QuestionName | null {
  const isAsked = (name: QuestionName) =>
    Object.entries(fillSides(form, name)).every(
      ([field, value]) => form[field as keyof LaunchForm] === value,
    );
  return questionNames.find(isAsked) ?? null;
}

export function placeOf({ targetKind, server }: LaunchForm): Place {
  return targetKind === 'managed' ? server : targetKind;
}

/** A server where the target cannot answer it. */
function placeFor(form: LaunchForm, name: QuestionName): Partial<LaunchForm> {
  if (canAnswer(name, placeOf(form))) return {};
  const server = [form.server, ...serverNames].find((each) => canAnswer(name, each)) ?? form.server;
  return { targetKind: 'managed', server, scenario: '' };
}

/** Resets earlier differences; values for both sides stay. */
function fillSides(form: LaunchForm, name: QuestionName): Partial<LaunchForm> {
  const { sides } = questions[name];
  const { server, 'sides.comparison.target.server': other } = form;
  const named = other === '' || other === server ? otherServerThan(server) : other;
  const rows = sideRows.flatMap(({ option, own, ids }) => {
    const baseline = valueIn({ sides }, own.baseline);
    if (baseline !== undefined) {
      const comparison = ownFieldOf(option, valueIn({ sides }, own.comparison));
      return [
        [ids.baseline, fieldOf(option, baseline)],
        [ids.comparison, comparison],
      ];
    }
    const usual = form[ids.comparison] === '' ? form[ids.baseline] : emptyForm[ids.baseline];
    return [
      [ids.baseline, usual],
      [ids.comparison, ''],
    ];
  });
  return {
    ...Object.fromEntries(rows),
    'sides.baseline.transport': sides.baseline.transport ?? 'http',
    'sides.comparison.transport': sides.comparison.transport ?? 'https',
    'sides.comparison.target.server': name === 'server' ? named : '',
    ...(name === 'server' ? {} : { 'sides.comparison.target.origin': '' }),
  };
}

/** Resets values for both sides that an earlier question set. */
function fillBoth(form: LaunchForm, name: QuestionName): Partial<LaunchForm> {
  const earlier = questionNames.map(bothOf);
  const asked = bothOf(name);
  const set = (id: keyof Both) =>
    asked[id] ?? (earlier.some((each) => each[id] === form[id]) ? emptyForm[id] : form[id]);
  return {
    connectionPolicy: set('connectionPolicy') as LaunchForm['connectionPolicy'],
    'target.documents': set('target.documents'),
  };
}

type Both = Partial<Pick<LaunchForm, 'connectionPolicy' | 'target.documents'>>;

function bothOf(name: QuestionName): Both {
  const { connectionPolicy, target } = questions[name].both ?? {};
  return {
    ...(connectionPolicy === undefined ? {} : { connectionPolicy }),
    ...(target === undefined ? {} : { 'target.documents': target.documents.join(' ') }),
  };
}
