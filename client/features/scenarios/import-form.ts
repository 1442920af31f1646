import {
  type ImportFormat,
  type ImportReport,
  importFormatSchema,
  type TrafficChoices,
} from '../../../shared/scenario/import.ts';

export const untouched = {
  file: null as File | null,
  text: '',
  format: '' as ImportFormat | '',
  staticFiles: false,
  thirdParties: false,
  thinkTimeScale: '1' as '0' | '0.5' | '1',
  /** Variables to take from responses; null: those that look made by a machine. */
  accepted: null as readonly string[] | null,
  /** Secrets that are none. */
  declined: [] as readonly string[],
  /** Result of the last import. */
  report: null as ImportReport | null,
};

/** Source to import, and the user's decisions so far. */
export type ImportForm = typeof untouched;

const names: Record<ImportFormat, string> = {
  har: 'HAR',
  playwright: 'Playwright test',
  devtools: 'DevTools recording',
  curl: 'curl commands',
  json: 'JSON scenario',
};
export const formats = [
  { value: '', label: 'Auto-detect' },
  ...importFormatSchema.options.map((value) => ({ value, label: names[value] })),
];

/** Noun for a scenario's source. */
export function sourceName(format: ImportReport['format']): string {
  return format === 'recording' ? 'recording' : names[format];
}

/** Phrase, as in "3 steps from a HAR". */
export function fromSource(format: ImportReport['format']): string {
  if (format === 'curl') return 'from curl commands';
  return format === 'json' ? 'from JSON' : `from a ${sourceName(format)}`;
}

export function sourceOf({ file, text }: ImportForm): Blob {
  return file ?? new Blob([text]);
}

/** The same decisions, for a recording that is still with the server. */
export function choicesOf({
  staticFiles,
  thirdParties,
  thinkTimeScale,
  accepted,
  declined,
}: ImportForm): TrafficChoices {
  return {
    ...{ staticFiles, thirdParties, thinkTimeScale: Number(thinkTimeScale), declined: [...declined] },
    ...(accepted === null ? {} : { accepted: [...accepted] }),
  };
}

export function queryOf(form: ImportForm): Record<string, string | undefined> {
  const { format, file, staticFiles, thirdParties, thinkTimeScale, accepted, declined } = form;
  const ofFile = file?.name
    .replace(/\.\w+$/, '')
    .trim()
    .slice(0, 100);
  return {
    as: format === '' ? undefined : format,
    name: ofFile || undefined,
    staticFiles: String(staticFiles),
    thirdParties: String(thirdParties),
    thinkTimeScale,
    // A comma alone says that none is accepted: an empty value is left out of an address.
    accepted: accepted === null ? undefined : accepted.join(',') || ',',
    declined: declined.join(',') || undefined,
  };
}

/** The form after its source was read: from then on the decisions are the user's. */
export function asImported(form: ImportForm, report: ImportReport): ImportForm {
  const accepted = report.correlations.filter((each) => each.accepted).map(({ extract }) => extract.variable);
  return { ...form, report, accepted: report.correlations.length === 0 ? null : accepted };
}
