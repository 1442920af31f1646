import {
  canAnswer,
  type Place,
  places,
  questionNames,
  questions,
} from '../../shared/kinds/comparison/questions.ts';
import { nameOfPlace } from '../../shared/words/question-words.ts';

/** A page with the table of questions and where they can be asked, at the end of its section of that heading. */
export function withQuestionTable(page: string, heading: string): string {
  return page
    .split(/^(?=## )/m)
    .map((section) =>
      section.startsWith(`${heading}\n`)
        ? `${section.split(/^\| /m)[0]?.trimEnd()}\n\n${table()}\n`
        : section,
    )
    .join('');
}

function table(): string {
  const heads = ['Question', '`--question`', ...places.map(headOf)];
  const rows = questionNames.map((name) => [
    questions[name].title,
    `\`${name}\``,
    ...places.map((place) => (canAnswer(name, place) ? (needOf(name, place) ?? 'yes') : 'no')),
  ]);
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function needOf(name: (typeof questionNames)[number], place: Place): string | null | undefined {
  return place === 'storefront' || place === 'origins' ? null : questions[name].servers[place];
}

/** A column has no room for what stands behind a server. */
function headOf(place: Place): string {
  const name = nameOfPlace(place).replace(/ with .*| net\/http| httpd/, '');
  return name.replace(/^(?:the|a) (.)/, (_, first: string) => first.toUpperCase());
}
