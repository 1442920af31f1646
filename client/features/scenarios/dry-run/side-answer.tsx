import type { Difference, DryRunAnswer } from '../../../../shared/scenario/dry-run.ts';
import { type Fact, Facts } from '../../../components/facts.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import { printBytes } from '../../../format/bytes.ts';
import type { Side } from '../../../format/side.ts';
import classes from '../scenarios.module.css';

type Props = { side: Side; answer: DryRunAnswer | null; differences: readonly Difference[] };

/** What one side answered to a step; what the other side has otherwise is marked. */
export function SideAnswer({ side, answer, differences }: Props) {
  const { key: _, ...look } = side;
  return (
    <section className={classes.side} aria-label={side.label}>
      <h4>
        <SideMark {...look} /> {side.label}
      </h4>
      {answer === null ? (
        <p className={classes.soft}>Not sent.</p>
      ) : (
        <Facts facts={factsOf(answer, differences)} />
      )}
      {answer === null ? null : (
        <details>
          <summary>Headers</summary>
          <ul className={classes.headers}>
            {answer.headers.map(([name, value]) => (
              <li key={name}>
                <code>
                  {name}: {value}
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function factsOf(answer: DryRunAnswer, differences: readonly Difference[]): Fact[] {
  const differs = (...kinds: Difference['what'][]) => differences.some(({ what }) => kinds.includes(what));
  const mark = (text: string, marked: boolean) => (marked ? <mark>{text}</mark> : text);
  const { method, path, status, location, contentType, contentEncoding, bodyBytes, bodySha256 } = answer;
  return [
    { name: 'Request', value: mark(`${method} ${path}`, differs('request')) },
    { name: 'Status', value: mark(String(status), differs('status')) },
    ...(location === null ? [] : [{ name: 'Redirect', value: mark(location, differs('redirect')) }]),
    ...(contentType === '' ? [] : [{ name: 'Type', value: mark(contentType, differs('type')) }]),
    ...(contentEncoding === ''
      ? []
      : [{ name: 'Encoding', value: mark(contentEncoding, differs('encoding')) }]),
    {
      name: 'Body',
      value: mark(`${printBytes(bodyBytes)}, SHA-256 ${bodySha256.slice(0, 10)}…`, differs('body')),
    },
    ...answer.variables.map(({ name, value }) => ({ name: `\${${name}}`, value: shorten(value) })),
    ...(answer.problem === null ? [] : [{ name: 'Error', value: mark(answer.problem, true) }]),
  ];
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
