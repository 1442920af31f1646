import type { ReactNode } from 'react';
import type { Problem } from '../../shared/base/problem.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type { Bill, BillRow } from '../../shared/kinds/comparison/bill.ts';
import { priceSources, pricesOf } from '../../shared/kinds/comparison/bill-options.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import {
  type Headline,
  headlineInOneLine,
  type MeasurementState,
} from '../../shared/measurement/measurement.ts';
import { printBilled } from '../../shared/words/precision-words.ts';
import { mayCall } from '../api/identity.ts';
import { starting } from '../api/late-call.ts';
import type { CreateMeasurement } from '../api/use-create-measurement.ts';
import { type Look, lookOfState } from '../format/looks.ts';
import { keepUnits, printDuration, printWhen } from '../format/printed-figures.ts';
import { PageHead } from './action-button.tsx';
import { Card, LookBadge, Notice, OriginalWords } from './card.tsx';
import { DataTable } from './data-table.tsx';
import pictureClasses from './figure.module.css';
import { served } from './links.tsx';
import classes from './page.module.css';
import { type Step, StepButtons } from './run-buttons.tsx';
import { Term } from './term.tsx';

type Props = {
  document: {
    kind: string;
    state: MeasurementState;
    problem: Problem | null;
    createdAt: number;
    startedAt: number | null;
    endedAt: number | null;
    warnings: string[];
    request: { kind: KindName };
    example?: true | undefined;
  };
  /** Null without a finding. */
  headline: Headline | null;
  /** Further findings. */
  sentences: readonly string[];
  /** How much was measured. */
  counts: string;
  takeFocus: boolean;
};

export function ResultHead({ document, headline, sentences, counts, takeFocus }: Props) {
  const { createdAt, warnings } = document;
  return (
    <>
      <FindingHead
        document={document}
        headline={headline}
        evidence={sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
        takeFocus={takeFocus}
      >
        <p>
          {counts}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </FindingHead>
      {served && document.example !== true && mayCall(starting) ? (
        <StepButtons steps={[againStep(document)]} />
      ) : null}
      <Warnings warnings={warnings} />
    </>
  );
}

/** The same, with random draws of its own. */
function againStep({ request, startedAt, endedAt, state }: Props['document']): Step {
  const { seed: _, ...asked } = { seed: null, ...request };
  const took = startedAt === null || endedAt === null || state !== 'finished' ? null : endedAt - startedAt;
  return {
    title: took === null ? 'Measure again' : `Measure again, ${printDuration(took / 1000)}`,
    request: asked as CreateMeasurement,
  };
}

type FindingProps = Pick<Props, 'headline' | 'takeFocus'> & {
  document: Pick<Props['document'], 'kind' | 'state' | 'problem'>;
  look?: Look;
  evidence: ReactNode;
  children: ReactNode;
};

/** The headline, or why there is none. */
export function FindingHead({ document, headline, look, evidence, children, takeFocus }: FindingProps) {
  const { kind, state, problem } = document;
  const of = `${kind}/headline`;
  const shown = look ?? lookOfState(state);
  return (
    <PageHead
      tab={headline === null ? shown.word : headlineInOneLine(headline)}
      title={<TitleOf>{headline?.title ?? problem?.title ?? 'Nothing was measured'}</TitleOf>}
      testId="headline"
      of={of}
      takeFocus={takeFocus}
      above={<LookBadge look={shown} />}
    >
      {headline === null ? null : <HeadlineLines headline={headline} of={of} />}
      {evidence}
      {problem === null ? null : (
        <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
          <p>{problem.advice}</p>
          <OriginalWords>{problem.details}</OriginalWords>
        </Notice>
      )}
      {children}
    </PageHead>
  );
}

/** A title, with a doubt at its end in gray. */
export function TitleOf({ children }: { children: string }) {
  const [, claim = children, doubt = ''] = /^(.* )(Not certain yet\.|Not tested\.)$/.exec(children) ?? [];
  return (
    <>
      {keepUnits(claim)}
      {doubt === '' ? null : <span className={classes.doubt}>{doubt}</span>}
    </>
  );
}

/** The lines below the title of a headline. */
export function HeadlineLines({
  headline: { second, third },
  of,
  more,
}: {
  headline: Headline;
  /** Key of its figures. */
  of?: string | undefined;
  /** Behind the last line. */
  more?: ReactNode;
}) {
  return (
    <>
      <p className={classes.second} data-testid="second" data-q-of={of}>
        {keepUnits(second)}
      </p>
      {third === undefined ? null : (
        <p className={classes.third} data-testid="third" data-q-of={of}>
          {keepUnits(third)}
          {more == null ? null : <> {more}</>}
        </p>
      )}
    </>
  );
}

export function Warnings({
  warnings,
  tone = 'warn',
}: {
  warnings: readonly string[];
  tone?: 'warn' | 'note';
}) {
  return warnings.map((warning) => (
    <Notice key={warning} tone={tone}>
      <p>{warning}</p>
    </Notice>
  ));
}

type LineProps = {
  /** Set-up of the measurement, such as scenario, target, and TLS. */
  items: readonly ReactNode[];
  createdAt: number;
  /** Null where nothing was measured. */
  quality: { quality: 'clean' | 'noisy'; reasons: readonly string[] } | null;
  /** Text for a result without a reason to doubt it. */
  clean: string;
};

/** Set-up of a measurement, its time, and how clean it was. */
export function SettingLine({ items, createdAt, quality, clean }: LineProps) {
  return (
    <ul className={classes.setting}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name but their place
        <li key={index}>{item}</li>
      ))}
      <li>
        <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </li>
      {quality === null ? null : (
        <li className={classes.quality} data-quality={quality.quality} data-testid="quality">
          <Term
            meaning={(quality.reasons.length === 0 ? [clean] : quality.reasons).map((reason) => (
              <span key={reason} className={classes.reason}>
                {reason}
              </span>
            ))}
          >
            {quality.quality}
          </Term>
        </li>
      )}
    </ul>
  );
}

type SourceFile = { name: string; text: string };

export function SourceFiles({ files }: { files: readonly SourceFile[] }) {
  return files.map(({ name, text }) => (
    <details key={name}>
      <summary>{name}</summary>
      <pre className={classes.source}>{text}</pre>
    </details>
  ));
}

/** Small picture of a page in a browser. @param jpeg in Base64 */
export function PagePicture({ jpeg }: { jpeg: string }) {
  return (
    <figure className={pictureClasses.figure}>
      <img
        src={`data:image/jpeg;base64,${jpeg}`}
        alt="The page at that moment"
        className={pictureClasses.picture}
      />
      <figcaption>The page at that moment</figcaption>
    </figure>
  );
}

export function BillResult({ bill: { sides, verdict, rows, notIncluded } }: { bill: Bill }) {
  const column = (label: string, side: 'baseline' | 'comparison' | 'added', part: string) => ({
    ...{ label, part },
    cell: (row: BillRow) => amountOf(row, row[side]),
  });
  return (
    <div className="stack">
      <Card>
        <p className="finding" role="status" data-testid="bill-verdict">
          {verdict}
        </p>
      </Card>
      <Card flush>
        <DataTable
          caption="Cores, bytes, and dollars per month"
          testId="bill"
          rows={rows}
          keyOf={({ id }) => id}
          of={({ id }) => `bill/${id}`}
          columns={[
            { label: 'Item', cell: (row) => <Item row={row} /> },
            column(sides.baseline, 'baseline', 'first'),
            column(sides.comparison, 'comparison', 'second'),
            column('Difference', 'added', 'difference'),
          ]}
        />
      </Card>
      <p className={classes.small}>Not included: {notIncluded.join('; ')}.</p>
      <p className={classes.small}>
        Default prices:{' '}
        {priceSources.map(({ title, href }, index) => (
          <span key={href}>
            {index === 0 ? '' : ', '}
            <a href={href} rel="noreferrer">
              {title}
            </a>
          </span>
        ))}
        ; {pricesOf}.
      </p>
    </div>
  );
}

function Item({ row: { title, unit, note } }: { row: BillRow }) {
  return (
    <>
      {['cores', '$'].includes(unit) ? title : `${title}, ${unit}`}
      {note === null ? null : <span className={classes.note}>{note}</span>}
    </>
  );
}

function amountOf(row: BillRow, amount: Estimate | null): string {
  return amount === null ? 'not measured' : printBilled(row, amount);
}
