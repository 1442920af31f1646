// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import fc from 'fast-check';
import { type Scenario, scenarioSchema } from '../../shared/scenario/scenario.ts';

/** For tests: any scenario that the editor could hold. Header values are ASCII without blanks at their ends. */

const awkward = [
  ...' \'"\\$`!%&;|<>(){}[]*?#~^=+,.:/@-',
  'é',
  '☕',
  'a',
  '7',
  '\n',
  '${a}',
  '$${b}',
  '${secret:key}',
];
const text = fc.array(fc.constantFrom(...awkward), { maxLength: 10 }).map((parts) => parts.join(''));
const word = text.map((value) => value.trim().slice(0, 60)).filter((value) => value !== '');
const path = text.map((value) => {
  const [before = '', ...query] = value.replace(/[^!-~]|#/g, '').split('?');
  return [`/${before.replaceAll('\\', '')}`.replace(/^\/{2,}/, '/'), ...query].join('?');
});
const headerValue = text.map((value) => value.replace(/[^ -~]/g, '').trim());
const headerName = fc.constantFrom('accept', 'content-type', 'x-a', 'X-B', 'cookie', 'user-agent', 'origin');
const headers = fc.dictionary(
  headerName,
  fc.oneof(headerValue, fc.array(headerValue, { minLength: 2, maxLength: 3 })),
  { maxKeys: 4 },
);
const variable = fc.constantFrom('a', 'b', 'token_2');

const check = fc.oneof(
  word.map((value) => ({ type: 'body_contains' as const, text: value })),
  fc.constant({ type: 'json_path' as const, path: '$.items[0].id', equals: 7 }),
);
const extraction = fc.oneof(
  variable.map((name) => ({ from: 'json_path' as const, variable: name, path: '$.id' })),
  variable.map((name) => ({ from: 'header' as const, variable: name, name: 'location', pattern: '/(\\d+)' })),
  fc
    .tuple(variable, word)
    .map(([name, input]) => ({ from: 'hidden_input' as const, variable: name, name: input })),
);

const step = fc
  .record({
    name: word,
    enabled: fc.boolean(),
    method: fc.constantFrom(
      'GET' as const,
      'PROPFIND' as const,
      'REPORT' as const,
      'HEAD' as const,
      'POST' as const,
      'PUT' as const,
      'DELETE' as const,
    ),
    path,
    headers,
    body: fc.option(text, { nil: undefined }),
    expectStatus: fc.constantFrom(200, 201, 302, 404),
    thinkTimeMs: fc.constantFrom(0, 50, 3000),
    checks: fc.array(check, { maxLength: 2 }),
    extract: fc.array(extraction, { maxLength: 2 }),
  })
  .map(({ body, ...rest }) => (body === undefined || rest.method === 'HEAD' ? rest : { ...rest, body }));

export const anyScenario: fc.Arbitrary<Scenario> = fc
  .record({
    name: word,
    description: text,
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    cookies: fc.boolean(),
    data: fc.option(
      fc.record({
        columns: fc.constant(['a', 'b']),
        rows: fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 2 }),
      }),
    ),
    pages: fc.array(path, { maxLength: 2 }),
    sensitivePaths: fc.array(path, { maxLength: 2 }),
  })
  .filter(({ steps }) => steps.some(({ enabled }) => enabled))
  .map((scenario) => scenarioSchema.parse(scenario));
