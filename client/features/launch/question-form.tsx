import { useQuery } from '@tanstack/react-query';
import { sideNameOf, valueIn } from '../../../shared/base/option.ts';
import type { BySide, SideName } from '../../../shared/base/transport.ts';
import {
  canAnswer,
  otherServerThan,
  type Place,
  type QuestionName,
  questionNames,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import { serverNames, serverOptions } from '../../../shared/target/server-options.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { limitsQuery } from '../../api/queries.ts';
import { fieldOf } from '../../format/option-field.ts';
import {
  emptyForm,
  type LaunchForm,
  looksIn,
  otherServer,
  ownFieldOf,
  type SetField,
  sideRows,
} from './form-shape.ts';
import classes from './launch.module.css';

/** Questions on the form: one is chosen, or what the two columns say is one. */

/**
 * Form fields that a question sets: its two columns, on a target that can answer it.
 * @param libraries names of the TLS libraries that servers can load
 */
export function askQuestion(
  form: LaunchForm,
  name: QuestionName,
  libraries: readonly string[] = [],
): Partial<LaunchForm> {
  const place = placeFor(form, name);
  return {
    ...place,
    ...fillSides({ ...form, ...place }, name, libraries),
    ...{ 'sides.baseline.name': '', 'sides.comparison.name': '' },
    ...fillBoth(form, name),
  };
}

/** Null for sides that are none of them. */
export function questionOf(form: LaunchForm): QuestionName | null {
  const isAsked = (name: QuestionName) =>
    (name !== 'library' || otherLibrary(form) !== null) &&
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
function fillSides(
  form: LaunchForm,
  name: QuestionName,
  libraries: readonly string[] = [],
): Partial<LaunchForm> {
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
    ...(name === 'library' ? fillLibraries(form, libraries) : {}),
    'sides.baseline.transport': sides.baseline.transport ?? 'http',
    'sides.comparison.transport': sides.comparison.transport ?? 'https',
    'sides.comparison.target.server': name === 'server' ? named : '',
    ...(name === 'server' ? {} : { 'sides.comparison.target.origin': '' }),
  };
}

function fillLibraries(form: LaunchForm, libraries: readonly string[]): Partial<LaunchForm> {
  const { 'target.library': own } = form;
  const other = otherLibrary(form) ?? libraries.find((each) => each !== own) ?? '';
  return { 'target.library': own, 'sides.comparison.target.library': other };
}

/** The comparison's own TLS library, where it has one. */
function otherLibrary(form: LaunchForm): string | null {
  const { 'target.library': own, 'sides.comparison.target.library': other } = form;
  return other === '' || other === own ? null : other;
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

type Props = { form: LaunchForm; set: SetField };

/** The question as a sentence with a choice for each side. Both choose among the same questions, so that either leads to all of them. */
export function QuestionTitle({ form, set }: Props) {
  const names = namesOf(form);
  const looks = looksIn(form);
  const part = (side: SideName) => (
    <span className={classes.part} style={{ color: looks[side].color }}>
      <span aria-hidden="true">{names[side]}</span>
      <SideChoice form={form} set={set} side={side} />
    </span>
  );
  return (
    <>
      What does {part('comparison')} cost, compared with {part('baseline')}?
    </>
  );
}

/** The same as text, for screen readers. */
export function questionInWords(form: LaunchForm): string {
  const { baseline, comparison } = namesOf(form);
  return `What does ${comparison} cost, compared with ${baseline}?`;
}

function SideChoice({ form, set, side }: Props & { side: SideName }) {
  const name = questionOf(form);
  const { libraries = [] } = useQuery(limitsQuery).data ?? {};
  const offered = questionNames.filter(
    (each) =>
      each === name || each !== 'library' || libraries.some((library) => library !== form['target.library']),
  );
  return (
    <select
      aria-label={
        side === 'comparison' ? 'Question, by what is measured' : 'Question, by what it is compared with'
      }
      value={name ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const chosen = questionNames.find((each) => each === value);
        if (chosen !== undefined) set(askQuestion(form, chosen, libraries));
      }}
    >
      {name === null ? <option value="">{namesOf(form)[side]}</option> : null}
      {offered.map((each) => (
        <option key={each} value={each}>
          {each === name ? namesOf(form)[side] : questions[each].names[side]} ({questions[each].title})
        </option>
      ))}
    </select>
  );
}

/** Names of the sides. Without a known question, they are the first and the second side. */
function namesOf(form: LaunchForm): BySide<string> {
  const name: QuestionName | null = questionOf(form);
  const other = otherServer(form);
  if (name === 'server' && other !== null)
    return { baseline: serverTitles[form.server], comparison: serverTitles[other] };
  if (name === 'library') {
    const { 'target.library': own, 'sides.comparison.target.library': comparison } = form;
    return { baseline: own || sideNameOf(serverOptions.library, null), comparison };
  }
  if (name !== null) return questions[name].names;
  return { baseline: 'the first side', comparison: 'the second side' };
}
