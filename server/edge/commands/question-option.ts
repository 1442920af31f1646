import { valueIn } from '../../../shared/base/option.ts';
import { termOf } from '../../../shared/base/option-flag.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type BySide, sideNames } from '../../../shared/base/transport.ts';
import { comparisonOptions, sideOptions } from '../../../shared/kinds/comparison/options.ts';
import {
  otherServerThan,
  type Place,
  type Question,
  type QuestionName,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import { questionProblem } from '../../../shared/words/question-words.ts';
import { hasAddress, type OwnSide } from './side-options.ts';

/** What `--question` asks for. */

type Given = {
  question?: QuestionName | undefined;
  null?: boolean | undefined;
  target?: ServerName | 'storefront' | undefined;
  http?: string | undefined;
  https?: string | undefined;
};

type Asked = Pick<Question, 'sides'> & NonNullable<Question['both']>;

const nothing: Asked = { sides: { baseline: {}, comparison: {} } };

/**
 * What a question puts into the request, under what was given besides.
 * @param own what the sides have of their own
 * @param ofTable what was given of the table's options
 * Throws invalid_arguments where it cannot be asked like that.
 */
export function questionIn(given: Given, own: BySide<OwnSide>, ofTable: object): Asked {
  const { question: name } = given;
  if (name === undefined) return nothing;
  if (given.null)
    throw problem('invalid_arguments', '--null is a question of its own. Leave out --question.');
  const place = placeOf(given, own);
  const wrong = questionProblem(name, place) ?? sharedOption(name, ofTable);
  if (wrong !== null) throw problem('invalid_arguments', wrong);
  const { sides, both } = questions[name];
  return { ...both, sides: name === 'server' ? withServers(sides, place, own) : sides };
}

function placeOf({ target, http, https }: Given, own: BySide<OwnSide>): Place {
  if (target !== undefined) return target;
  const hasOrigins = (http ?? https) !== undefined || sideNames.some((side) => hasAddress(own[side]));
  return hasOrigins ? 'origins' : 'storefront';
}

/** An option that the question is about, given for both sides. */
function sharedOption(name: QuestionName, ofTable: object): string | null {
  const { sides, title } = questions[name];
  const differing = sideOptions.filter((placed) => valueIn({ sides }, placed) !== undefined);
  const shared = comparisonOptions.find(
    (each) => valueIn(ofTable, each) !== undefined && differing.some(({ option }) => option === each.option),
  );
  if (shared === undefined) return null;
  const [flag, ...ofSides] = [shared, ...differing.filter(({ option }) => option === shared.option)].map(
    (placed) => termOf(placed).split(' ')[0],
  );
  return `“${title}” is about sides that differ by ${flag}. Give ${ofSides.join(' and ')} instead.`;
}

function withServers(sides: Question['sides'], place: Place, own: BySide<OwnSide>): Question['sides'] {
  if (place === 'storefront') return sides;
  if (place !== 'origins') {
    const { comparison } = sides;
    return { ...sides, comparison: { ...comparison, target: { server: otherServerThan(place) } } };
  }
  if (sideNames.some((side) => hasAddress(own[side]))) return sides;
  const addresses = '--baseline https://127.0.0.1:8443 --comparison https://127.0.0.1:9443';
  throw problem(
    'invalid_arguments',
    `“${questions.server.title}” needs an address for each side, such as ${addresses}.`,
  );
}
