import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { kindWords, type LabKind } from '../../../shared/measurement/kind-names.ts';
import type { Headline } from '../../../shared/measurement/measurement.ts';
import { examplesQuery, recentQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { CardList, Section } from '../../components/card.tsx';
import { LinkButton } from '../../components/links.tsx';
import { type LabEntry, labEntries } from '../../components/start-form.tsx';
import { keepUnits, printWhen } from '../../format/printed-figures.ts';
import classes from './lab.module.css';

/** The newest result of each kind, or an example until there is one. */
export default function LabPage() {
  return (
    <>
      <PageHead tab="Lab" title="Lab">
        <p>
          Where the cost comes from, one part at a time. Each card shows your latest result, or an example
          until you have one.
        </p>
      </PageHead>
      {labEntries().map(({ title, entries }) => (
        <Section key={title} id={title.toLowerCase()} title={title}>
          <CardList label={title}>
            {entries.map((entry) => (
              <Entry key={entry.path} entry={entry} />
            ))}
          </CardList>
        </Section>
      ))}
    </>
  );
}

function Entry({ entry: { path, tab, kind, about } }: { entry: LabEntry }) {
  return (
    <li className={classes.entry}>
      <h3>
        <Link to={path}>{tab}</Link>
      </h3>
      {kind === undefined ? <p>{about}</p> : <Newest kind={kind} />}
      <div>
        <LinkButton to={path}>{kind === undefined ? 'Open…' : 'Measure…'}</LinkButton>
      </div>
    </li>
  );
}

function Newest({ kind }: { kind: LabKind }) {
  const [newest] = useQueries({ queries: [recentQuery(kind, 1, 'finished')] });
  const { data: examples = [] } = useQuery(examplesQuery);
  const [own] = newest.data ?? [];
  const example = examples.find(({ name }) => name === kind);
  const shown =
    own?.headline !== undefined
      ? { headline: own.headline, url: own.url, from: printWhen(own.createdAt) }
      : example === undefined
        ? null
        : { headline: example.headline, url: example.url, from: 'example' };
  if (newest.isPending || shown === null) return <p>{kindWords[kind].summary}.</p>;
  const { headline, url, from } = shown;
  return (
    <>
      <p className={classes.from}>{from}</p>
      <Values headline={headline} />
      <p>
        <Link to={url}>{keepUnits(headline.title)}</Link>
      </p>
      {headline.second === '' ? null : <p>{keepUnits(headline.second)}</p>}
    </>
  );
}

const pair = /\(([\d.,]+) → ([\d.,]+)(?: ([^\s)]+))?\)/;

/** The two values of a headline, `385 → 504 µs`, as bars; nothing where it has none. */
export function valuesOf({ title, second }: Headline): { text: string; share: number }[] {
  const [, first, other, unit = ''] = pair.exec(second) ?? pair.exec(title) ?? [];
  if (first === undefined || other === undefined) return [];
  const sizes = [first, other].map((each) => Number(each.replaceAll(',', '')));
  const largest = Math.max(...sizes);
  return [first, other].map((each, index) => ({
    text: `${each} ${unit}`.trim(),
    share: (sizes[index] ?? 0) / largest,
  }));
}

function Values({ headline }: { headline: Headline }) {
  const values = valuesOf(headline);
  if (values.length === 0) return null;
  return (
    <ul className={classes.values} aria-hidden="true">
      {values.map(({ text, share }, index) => (
        <li key={index === 0 ? 'first' : 'second'}>
          <span style={{ inlineSize: `${65 * share}%` }} /> {text}
        </li>
      ))}
    </ul>
  );
}
