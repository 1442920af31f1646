import { either } from '../base/option.ts';
import { printShare } from '../base/quantity.ts';
import {
  canAnswer,
  type Place,
  places,
  type QuestionName,
  questions,
} from '../kinds/comparison/questions.ts';
import { serverTitles } from '../target/target-words.ts';

/** Why a question cannot be asked there, and where it can; null where it can be. */
export function questionProblem(name: QuestionName, place: Place): string | null {
  if (canAnswer(name, place)) return null;
  const able = places.filter((each) => canAnswer(name, each)).map(nameOfPlace);
  return `“${questions[name].title}” needs ${either.format(able)}: ${nameOfPlace(place)} cannot answer it.`;
}

export function nameOfPlace(place: Place): string {
  if (place === 'storefront') return 'the built-in storefront';
  return place === 'origins' ? 'a target of your own' : serverTitles[place];
}

const runsToPool = 3;

/** @param between half-width of one run's interval by what moves between runs alone, as a share of the ratio */
export function runsDiffer(between: number): string {
  const pooled = between / Math.sqrt(runsToPool);
  return `Runs differ by about ±${printShare(between)}. A longer run does not narrow that; three runs do, to about ±${printShare(pooled)}.`;
}
