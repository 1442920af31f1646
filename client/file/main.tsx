import '../app/read-without-eval.ts';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/mantine.css';
import '../app/styles.css';
import { MemoryRouter } from 'react-router';
import { printMoment } from '../../shared/base/moment.ts';
import { qualityOf } from '../../shared/kinds/comparison/quality.ts';
import type { ShownAnnotation } from '../../shared/measurement/annotation.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import type { ShownMeasurement } from '../../shared/results/shown-measurement.ts';
import { kinds } from '../app/kinds.ts';
import { ColorSchemeSwitch, Logo, Look } from '../app/look.tsx';
import shell from '../app/shell.module.css';
import { CommandLine } from '../components/action-button.tsx';
import { Card, Facts, IdScope, Section } from '../components/card.tsx';
import type { LateView } from '../features/measurement/late-view.ts';
import { ExampleNotice, WrittenAnnotation } from '../features/measurement/result-notes.tsx';
import { type AnyView, useUnfolding } from '../features/measurement/unfold.ts';
import { type ExplainedRun, SavedExplanation } from '../features/run/explain-section.tsx';
import classes from './file.module.css';

const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no #root');

const saved = readSaved();
const results = 'results' in saved ? saved.results : [saved];
const names = [...new Set(results.map(({ document }) => document.kind))];
const opened = await Promise.all(names.map((name) => (kinds[name] as LateView<AnyView>).open()));
const views = new Map(names.map((name, index) => [name, opened[index] as AnyView]));

createRoot(root).render(
  <StrictMode>
    {'results' in saved ? (
      <ReportPage report={saved} views={views} />
    ) : (
      <FilePage result={saved} Finished={(views.get(saved.document.kind) as AnyView).Finished} />
    )}
  </StrictMode>,
);

type Props = { result: SavedResult; Finished: AnyView['Finished'] };

/** The page of one result, in a file of its own. Its address is that of a file, so the view is kept in memory. */
function FilePage({ result: { document, annotation, explained }, Finished }: Props) {
  return (
    <FileFrame copy={`Saved result of ${printMoment(document.createdAt)}`}>
      {/* A radio button that lives in the view must move at once, not in a transition. */}
      <MemoryRouter useTransitions={false}>
        <ExampleNotice document={document} />
        <WrittenAnnotation annotation={annotation} />
        <SavedExplanation value={explained ?? null}>
          <Result document={document} Finished={Finished} />
        </SavedExplanation>
      </MemoryRouter>
    </FileFrame>
  );
}

function Result({ document, Finished }: Pick<SavedResult, 'document'> & Pick<Props, 'Finished'>) {
  useUnfolding();
  return (
    <article>
      <Finished document={document} takeFocus={false} />
      <AboutFile document={document} />
    </article>
  );
}

type PageProps = { report: SavedReport; views: ReadonlyMap<KindName, AnyView> };

/** Several results in one file: a title page that lists them, and each of them below it. */
function ReportPage({ report, views }: PageProps) {
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
        <PageResult
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
        <a href={href}>{line.title}</a>
      </p>
      {line.second === '' ? null : <p>{line.second}</p>}
      <p className={classes.facts}>
        {[
          ...(quality === null ? [] : [`Quality: ${quality}`]),
          `Measured ${printMoment(document.createdAt)}`,
        ].join(' · ')}
      </p>
    </li>
  );
}

/** With a view of its own, as on a page of its own. */
type ResultProps = { result: Saved; view: AnyView | undefined; anchor: string };

function PageResult({ result: { document, annotation }, view, anchor }: ResultProps) {
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

/** Frame of a file's content, without links to other screens. */
function FileFrame({ copy, children }: { copy: string; children: ReactNode }) {
  return (
    <Look>
      <div className={shell.page}>
        <header className={shell.header}>
          <div className={shell.bar}>
            <span className={shell.brand}>
              <Logo />
              <span>TLS Toll</span>
            </span>
            <span className={classes.copy}>{copy}</span>
            <ColorSchemeSwitch />
          </div>
        </header>
        <main className={shell.content}>{children}</main>
      </div>
    </Look>
  );
}

/** A document, and what was written on it when the file was made; a run with what it was explained by, if it was. */
type SavedResult = {
  document: ShownMeasurement;
  annotation: ShownAnnotation;
  explained?: ExplainedRun;
};

/** Several of them, each with its line of the title page. */
type SavedReport = {
  title: string;
  /** In milliseconds since 1970. */
  madeAt: number;
  results: (SavedResult & { line: ReportLine })[];
};

/** Headline of a result; its second line is empty without a finding. */
type ReportLine = {
  title: string;
  second: string;
  /** The question and the target. */
  setting: string;
};

/** Data that the page was sent with and unpack.js unpacked. It comes from the server, so it is not validated. */
function readSaved(): SavedResult | SavedReport {
  return (globalThis as unknown as { result: SavedResult | SavedReport }).result;
}

/** When and where it was measured, for a reader who has nothing but the file. */
function AboutFile({ document }: { document: ShownMeasurement }) {
  const { id, createdAt, environment, command } = document;
  const cores = `${environment.cores} ${environment.cores === 1 ? 'core' : 'cores'}`;
  return (
    <div className={classes.about}>
      <Section
        id="about"
        title="About this file"
        lead="It holds what the page of the result shows, needs no server, and sends nothing. Raw figures are in the JSON of the result."
        card
      >
        <Facts
          facts={[
            { name: 'Measured', value: printMoment(createdAt) },
            {
              name: 'On',
              value: `${environment.cpuModel}, ${cores}, ${environment.platform}, ${environment.kernel}`,
            },
            { name: 'TLS Toll', value: environment.product },
            { name: 'Result', value: <code>{id}</code> },
            { name: 'Repeat it', value: <CommandLine command={command} /> },
          ]}
        />
      </Section>
    </div>
  );
}
