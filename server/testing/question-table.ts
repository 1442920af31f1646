import {
  canAnswer,
  nameOfPlace,
  type Place,
  places,
  type QuestionName,
  questionNames,
  questions,
} from '../../shared/kinds/comparison/questions.ts';

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
  const heads = ['Question', '`--question`', 'Can be asked'];
  const rows = questionNames.map((name) => [
    questions[name].title,
    `\`${name}\``,
    [whereOf(name), ...needsOf(name)].join('; '),
  ]);
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** By the fewer names: of those that can answer it, or of those that cannot. */
function whereOf(name: QuestionName): string {
  const able = places.filter((place) => canAnswer(name, place));
  const unable = places.filter((place) => !able.includes(place));
  if (unable.length === 0) return 'everywhere';
  if (able.length < unable.length) return listOf(able);
  return `everywhere but ${listOf(unable)}`;
}

/** `Go 1.24`, `OpenSSL 3.5 for nginx, Apache`. */
function needsOf(name: QuestionName): string[] {
  const needy = places.flatMap((place) => {
    const need = place === 'storefront' || place === 'origins' ? null : questions[name].servers[place];
    return typeof need === 'string' ? [{ place, need }] : [];
  });
  return [...Map.groupBy(needy, ({ need }) => need)].map(([need, of]) =>
    of.length === 1 ? `with ${need}` : `with ${need} for ${listOf(of.map(({ place }) => place))}`,
  );
}

const conjunction = new Intl.ListFormat('en-US', { type: 'conjunction' });

function listOf(some: readonly Place[]): string {
  return conjunction.format(some.map(shortNameOf));
}

/** There is no room for what stands behind a server. */
function shortNameOf(place: Place): string {
  return nameOfPlace(place).replace(/ with .*| net\/http| httpd/, '');
}
