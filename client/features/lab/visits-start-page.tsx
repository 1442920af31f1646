import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { visitsTable } from '../../../shared/kinds/visits/options.ts';
import type { VisitsDocument } from '../../../shared/kinds/visits/visits.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import { FieldRow, TextField } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { TargetFields } from '../../components/replay-target.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, RecentOfKinds, useRequestForm } from '../../components/start-form.tsx';
import { noTarget, type TargetForm, targetOfForm } from '../../format/browser-action.ts';

export default function VisitsPage() {
  const again = useSearchParams()[0].get('again');
  return (
    <>
      <PageHead tab="Visits" title="What does a visitor wait for?" above={<LabTabs />} />
      {again === null ? <VisitsCard initial={emptyVisitsForm} /> : <CardAgain id={again} />}
      <RecentOfKinds kinds={['visits']} />
    </>
  );
}

/** Filled with what an earlier measurement was asked for with. */
function CardAgain({ id }: { id: string }) {
  const { data } = useQuery({ ...measurementQuery(id), throwOnError: true });
  if (data === undefined) return <Waiting>Filling the form</Waiting>;
  if (data.kind !== 'visits') throw problem('run_not_found', 'That run has no visits.');
  return <VisitsCard key={id} initial={formOfVisits(data)} />;
}

export function VisitsCard({ initial }: { initial: VisitsForm }) {
  const { form, set, tried, submit, pending, error } = useRequestForm(initial);
  const { request, messages } = parseVisitsForm(form);
  const fields = { form, set, messages: tried ? messages : {} };
  const journeys = journeyChoices(form);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <p>
        Chromium visits both sides with a cold and a warm cache.{' '}
        {form.kind === 'storefront' ? 'The demo shop is started for it: no address is needed.' : ''}
      </p>
      <TargetFields label="Target" {...fields} />
      <FieldRow>
        {journeys.length === 1 ? null : (
          <ChoicePills
            legend="Journey"
            legendShown
            name="journey"
            value={form.journey}
            choices={journeys}
            onChange={(journey) => set({ journey })}
          />
        )}
        {form.kind === 'origins' && form.journey === 'usual' ? (
          <TextField {...fields} name="page" label="Page" description="A path, opened on both sides." />
        ) : null}
        <TextField
          {...fields}
          name="blocks"
          label={visitsTable.blocks.label}
          description="Six visits each, about 10 s on the storefront."
          inputMode="numeric"
        />
      </FieldRow>
    </RequestForm>
  );
}

type Journey = VisitsDocument['request']['journey'];

export type VisitsForm = TargetForm & {
  /** Page of the reader's own target when no journey is kept. */
  page: string;
  blocks: string;
  /** `kept` is the journey of the measurement that is repeated. */
  journey: 'kept' | 'usual';
  kept: Journey;
};

type VisitsMessages = Partial<Record<'http' | 'https' | 'page' | 'blocks', string>>;

const { blocks } = visitsTable;

export const emptyVisitsForm: VisitsForm = {
  ...noTarget,
  page: '/',
  blocks: String(blocks.default),
  journey: 'usual',
  kept: null,
};

/** The request, or what is wrong with which field. */
export function parseVisitsForm(form: VisitsForm): {
  request: CreateMeasurement | null;
  messages: VisitsMessages;
} {
  const target = targetOfForm(form);
  const count = Number(form.blocks);
  const own = form.kind === 'origins';
  const messages: VisitsMessages = {
    ...(own && form.http.trim() === '' ? { http: 'Enter the origin of the HTTP side.' } : {}),
    ...(own && form.https.trim() === '' ? { https: 'Enter the origin of the HTTPS side.' } : {}),
    ...(own && form.journey === 'usual' && !form.page.trim().startsWith('/')
      ? { page: 'Enter a path that starts with /.' }
      : {}),
    ...(Number.isInteger(count) && count >= blocks.min && count <= blocks.max
      ? {}
      : { blocks: `Enter a whole number from ${blocks.min} to ${blocks.max}.` }),
  };
  if (target === null || Object.keys(messages).length > 0) return { request: null, messages };
  return { request: { kind: 'visits', target, journey: journeyOf(form), blocks: count }, messages };
}

/** Null for a search in the storefront. */
function journeyOf({ kind, journey, kept, page }: VisitsForm): Journey {
  if (journey === 'kept') return kept;
  if (kind === 'storefront') return null;
  const path = page.trim();
  return {
    name: path.slice(0, 100),
    actions: [{ type: 'goto', line: null, page: 0, url: path }],
    scenario: null,
  };
}

export function formOfVisits({ request }: Pick<VisitsDocument, 'request'>): VisitsForm {
  const { target, journey } = request;
  const origins = target.kind === 'origins' ? target : null;
  const [action] = journey?.actions ?? [];
  const onePage = journey?.actions.length === 1 && action?.type === 'goto' && journey.scenario === null;
  return {
    ...emptyVisitsForm,
    kind: origins === null ? 'storefront' : 'origins',
    http: origins?.http ?? '',
    https: origins?.https ?? '',
    ca: origins?.ca ?? '',
    blocks: String(request.blocks),
    ...(onePage && origins !== null ? { page: action.url } : {}),
    ...(journey === null || (onePage && origins !== null) ? {} : { journey: 'kept' as const, kept: journey }),
  };
}

/** The journeys that there are to choose from, beside a page of one's own. */
export function journeyChoices({
  kind,
  kept,
}: VisitsForm): { value: VisitsForm['journey']; label: string }[] {
  const usual = kind === 'storefront' ? 'Search in the storefront' : 'One page';
  return [
    { value: 'usual', label: usual },
    ...(kept === null ? [] : [{ value: 'kept' as const, label: kept.name }]),
  ];
}
