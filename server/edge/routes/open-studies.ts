import { ProblemError } from '../../../shared/base/problem.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { MeasurementDocument } from '../../../shared/results/kinds.ts';
import { allClaims, readFigure } from '../../../shared/studies/read-figure.ts';
import { rowOfClaim } from '../../../shared/studies/read-sizes.ts';
import type { Figure, Read } from '../../../shared/studies/study-figure.ts';
import {
  type StudyMeasurement,
  type StudyMeasurementName,
  studies,
  studyMeasurement,
  studyMeasurementNames,
  studyNames,
  yearOf,
} from '../../../shared/studies/study-plan.ts';
import type { PlannedMeasurement, StudyReport } from '../../../shared/studies/study-report.ts';
import type { FoundServer } from '../../../shared/target/target.ts';
import type { Examples } from '../../life/examples/with-examples.ts';
import type { AttemptAt, Measurements } from '../../life/measurement/asked-measurements.ts';
import { addressOf } from '../../life/measurement/summaries.ts';
import { hashText } from '../../life/measurement/tokens.ts';

/** A document that is over never changes, so what was read of it is kept while it answers: some are megabytes. */
type Kept = { id: string; machine: Machine; reads: Map<Figure, Read> };
type Machine = { cpuModel: string; cores: number };

type Options<House> = {
  measurements: Pick<Measurements, 'ofRequest' | 'document'>;
  examples: Examples<House>;
  servers(): FoundServer[];
  /** Names of the TLS libraries that servers can load here. */
  libraries: readonly string[];
};

/**
 * A measurement answers a claim by its request, whoever started it. Until there is one, the example does that is called like it.
 */
export function openStudies<House>({
  measurements,
  examples,
  servers,
  libraries,
}: Options<House>): () => Promise<StudyReport> {
  const kept = new Map<StudyMeasurementName, Kept>();

  async function planned(
    name: StudyMeasurementName,
    found: readonly FoundServer[],
  ): Promise<PlannedMeasurement> {
    const { title, request, seconds, full, ...needed } = studyMeasurement(name);
    const attempts = await measurements.ofRequest(request.kind, request);
    const [newest] = attempts.filter(({ isBinned }) => !isBinned);
    const { finished, why } = await newestFinished(name, attempts);
    const lacks = lackOf(needed, found, libraries);
    const going = newest !== undefined && !isOver(newest.state) ? newest : null;
    const ended = going === null && newest !== undefined && newest.id !== finished?.id ? newest : null;
    return {
      ...{ name, title, kind: request.kind, request, seconds, full },
      measured: finished ?? (await exampleOf(name)),
      going: going === null ? null : { id: going.id, url: going.url },
      resumes: ended?.resumes === true ? ended.id : null,
      why: lacks ?? why ?? ended?.problem?.detail ?? null,
      lacking: lacks !== null,
      // With the request, which another version of the program may ask for otherwise.
      key: `studies-${hashText(JSON.stringify(request))}-${attempts[0]?.id ?? 'first'}`,
    };
  }

  async function newestFinished(name: StudyMeasurementName, attempts: readonly AttemptAt[]) {
    const newest = attempts.find(({ state, isBinned }) => state === 'finished' && !isBinned);
    if (newest === undefined) return { finished: null, why: null };
    const { id, url, createdAt } = newest;
    const before = kept.get(name);
    if (before?.id !== id) {
      try {
        const { document } = await measurements.document(id);
        kept.set(name, readAll(name, id, document as MeasurementDocument));
      } catch (error) {
        // The document is from a newer version, damaged, or was deleted meanwhile.
        if (!(error instanceof ProblemError)) throw error;
        return { finished: null, why: error.problem.detail };
      }
    }
    const { cpuModel = '', cores = 0 } = kept.get(name)?.machine ?? {};
    return { finished: { id, url, createdAt, cpuModel, cores, isExample: false }, why: null };
  }

  async function exampleOf(name: StudyMeasurementName) {
    const example = (await examples.list()).find((each) => each.name === name);
    if (example === undefined) return null;
    const { kind, document } = example;
    const { id, createdAt } = document;
    if (kept.get(name)?.id !== id)
      kept.set(name, readAll(name, id, document as unknown as MeasurementDocument));
    const { cpuModel, cores } = document.environment;
    return { ...{ id, createdAt, cpuModel, cores }, url: addressOf(kind, id), isExample: true };
  }

  return async () => {
    const found = servers();
    const all = await Promise.all(studyMeasurementNames.map((name) => planned(name, found)));
    const read = (name: StudyMeasurementName, figure: Figure): Read =>
      kept.get(name)?.reads.get(figure) ?? { missing: 'It was deleted meanwhile.' };
    return {
      studies: studyNames.map((name) => ({ name, year: yearOf(name), ...studies[name] })),
      measurements: all,
      rows: allClaims.map((claim) => rowOfClaim(claim, all, read)),
    };
  };
}

function readAll(name: StudyMeasurementName, id: string, document: MeasurementDocument): Kept {
  const { cpuModel, cores } = document.environment;
  const reads = new Map<Figure, Read>();
  for (const claim of allClaims) {
    if (claim.by?.includes(name)) reads.set(claim.figure, readFigure(claim.figure, document));
  }
  return { id, machine: { cpuModel, cores }, reads };
}

/** In a sentence; null where all are there. */
function lackOf(
  { needs, libraries = [] }: Pick<StudyMeasurement, 'needs' | 'libraries'>,
  found: readonly FoundServer[],
  known: readonly string[],
): string | null {
  const [lacking] = found.filter(({ name, installed }) => needs.includes(name) && !installed);
  const library = libraries.find((name) => !known.includes(name));
  if (lacking === undefined) {
    return library === undefined
      ? null
      : `No TLS library is called ${library} here. Give its directory that name in TLS_TOLL_LIBSSL.`;
  }
  return `${lacking.title} is not installed here. Install ${lacking.missing.join(' and ')}.`;
}
