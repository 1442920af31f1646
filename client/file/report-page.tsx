import { MemoryRouter } from 'react-router';
import { printMoment } from '../../shared/base/moment.ts';
import { qualityOf } from '../../shared/kinds/comparison/quality.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { Card } from '../components/card.tsx';
import { IdScope } from '../components/id-scope.ts';
import { ExampleNotice } from '../features/measurement/example-notice.tsx';
import type { AnyView } from '../features/measurement/kind-view.ts';
import { useUnfolding } from '../features/measurement/unfold.ts';
import { WrittenAnnotation } from '../features/measurement/written-annotation.tsx';
import { AboutFile } from './about-file.tsx';
import classes from './file.module.css';
import { FileFrame } from './file-frame.tsx';
import type { SavedReport } from './read-result.ts';

type Props = { report: SavedReport; views: ReadonlyMap<KindName, AnyView> };

/** Several results in one file: a title page that lists them, and each of them below it. */
export function ReportPage({ report, views }: Props) {
  const { title, madeAt, results } = report;
  return (
    <FileFrame copy={`${results.length} saved ${results.length === 1 ? 'result' : 'results'}`}>
      <MemoryRouter useTransitions={false}>
        <Unfolding />
      </MemoryRouter>
      <section className={classes.title} aria-labelledby="report-title">
        <h1 id="report-title" dir="auto">
          {title}
        </h1>
        <p>{printMoment(madeAt)}</p>
        <Card>
          <ol className={classes.list} aria-label="Results">
            {results.map((result, index) => (
              <Line key={result.document.id} result={result} href={`#${anchorOf(index)}`} />
            ))}
          </ol>
        </Card>
      </section>
      {results.map((result, index) => (
        <Result
          key={result.document.id}
          result={result}
          view={views.get(result.document.kind)}
          anchor={anchorOf(index)}
        />
      ))}
    </FileFrame>
  );
}

type Saved = SavedReport['results'][number];

function Line({ result: { document, line }, href }: { result: Saved; href: string }) {
  const quality = document.kind === 'comparison' ? qualityOf(document).quality : null;
  return (
    <li>
      <p className={classes.question} dir="auto">
        {line.setting}
      </p>
      <p className={classes.headline}>
        <a href={href}>{line.headline}</a>
      </p>
      <p className={classes.facts}>
        {[
          ...(line.figure === null ? [] : [line.figure]),
          ...(quality === null ? [] : [`Quality: ${quality}`]),
          `Measured ${printMoment(document.createdAt)}`,
        ].join(' · ')}
      </p>
    </li>
  );
}

/** With a view of its own, as on a page of its own. */
type ResultProps = { result: Saved; view: AnyView | undefined; anchor: string };

function Result({ result: { document, annotation }, view, anchor }: ResultProps) {
  return (
    <IdScope value={`${anchor}-`}>
      <MemoryRouter useTransitions={false}>
        <article id={anchor} className={classes.result}>
          <ExampleNotice document={document} />
          <WrittenAnnotation annotation={annotation} />
          {view === undefined ? null : <view.Finished document={document} takeFocus={false} />}
          <AboutFile document={document} />
        </article>
      </MemoryRouter>
    </IdScope>
  );
}

/** Once for all results: it follows links and printing anywhere on the page. */
function Unfolding() {
  useUnfolding();
  return null;
}

function anchorOf(index: number): string {
  return `result-${index + 1}`;
}
