import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { listIn } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { Scheme } from '../../../shared/base/transport.ts';
import { linkWord, parseLink } from '../../../shared/kinds/comparison/link-text.ts';
import {
  type VisitProtocol,
  visitProtocolNames,
  visitProtocols,
  visitsTable,
} from '../../../shared/kinds/visits/options.ts';
import type { VisitsDocument } from '../../../shared/kinds/visits/visits.ts';
import type { TargetInput } from '../../../shared/target/target.ts';
import { targetLabels } from '../../../shared/target/target-words.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import { FieldRow, SelectField, SwitchLine, TextField } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { TargetFields } from '../../components/replay-target.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, RecentOfKinds, useRequestForm } from '../../components/start-form.tsx';
import { noTarget, type TargetForm } from '../../format/browser-action.ts';

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
        {form.kind === 'origins' ? '' : 'The server is started for it: no address is needed.'}
      </p>
      <FieldRow>
        <SelectField {...fields} name="baseline" label={visitsTable.baseline.label} data={protocolChoices} />
        <SelectField
          {...fields}
          name="comparison"
          label={visitsTable.comparison.label}
          description={visitsTable.comparison.hint}
          data={protocolChoices}
        />
      </FieldRow>
      <TargetFields label="Target" choices={targetChoices} schemes={schemesOf(form)} {...fields} />
      <FieldRow>
        {form.kind === 'managed' ? (
          <TextField
            {...fields}
            name="objects"
            label={visitsTable.objects.label}
            description={visitsTable.objects.hint}
            inputMode="numeric"
          />
        ) : null}
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
          name="links"
          label={visitsTable.links.label}
          description={visitsTable.links.hint}
        />
        <TextField
          {...fields}
          name="blocks"
          label={visitsTable.blocks.label}
          description="Six visits each, about 10 s on the storefront."
          inputMode="numeric"
        />
      </FieldRow>
      {form.kind === 'managed' ? (
        <SwitchLine
          label={resumed.label}
          detail={resumed.hint}
          checked={form.resumed}
          onChange={(resumed) => set({ resumed })}
        />
      ) : null}
    </RequestForm>
  );
}

type Journey = VisitsDocument['request']['journey'];

export type VisitsForm = TargetForm & {
  /** The server that is started, with the settings of the measurement that is repeated. */
  managed: TargetInput;
  baseline: VisitProtocol;
  comparison: VisitProtocol;
  objects: string;
  links: string;
  /** Page of the reader's own target when no journey is kept. */
  page: string;
  blocks: string;
  resumed: boolean;
  /** `kept` is the journey of the measurement that is repeated. */
  journey: 'kept' | 'usual';
  kept: Journey;
};

type VisitsMessages = Partial<
  Record<'http' | 'https' | 'page' | 'objects' | 'links' | 'comparison' | 'blocks', string>
>;

const { blocks, objects, links, baseline, comparison, resumed } = visitsTable;

const protocolChoices = visitProtocols.map((value) => ({ value, label: visitProtocolNames[value] }));

const targetChoices = [
  { value: 'storefront', label: targetLabels.storefront },
  { value: 'managed', label: 'Caddy, with a page of images' },
  { value: 'origins', label: 'Your own addresses' },
];

function schemesOf(form: Pick<VisitsForm, 'baseline' | 'comparison'>): Scheme[] {
  return [form.baseline, form.comparison].map((protocol) => (protocol === 'http' ? 'http' : 'https'));
}

export const emptyVisitsForm: VisitsForm = {
  ...noTarget,
  managed: 'caddy',
  ...{
    baseline: baseline.default,
    comparison: comparison.default,
    objects: String(objects.default),
    links: '',
  },
  page: '/',
  blocks: String(blocks.default),
  resumed: resumed.default,
  journey: 'usual',
  kept: null,
};

/** The request, or what is wrong with which field. */
export function parseVisitsForm(form: VisitsForm): {
  request: CreateMeasurement | null;
  messages: VisitsMessages;
} {
  const count = Number(form.blocks);
  const images = Number(form.objects);
  const own = form.kind === 'origins';
  const paths =
    form.links.trim() === '' ? [] : (listIn(links, form.links.trim().split(links.between))?.value ?? null);
  const isKnown = paths?.every((path) => parseLink(String(path)) !== null) === true;
  const schemes = schemesOf(form);
  const lacks = (scheme: Scheme) => own && schemes.includes(scheme) && form[scheme].trim() === '';
  const messages: VisitsMessages = {
    ...(form.kind === 'storefront' && [form.baseline, form.comparison].includes('h3')
      ? { comparison: 'The demo shop does not speak HTTP/3. Choose Caddy or your own addresses.' }
      : {}),
    ...(lacks('http') ? { http: 'Enter the origin of the HTTP side.' } : {}),
    ...(lacks('https') ? { https: 'Enter the origin of the HTTPS side.' } : {}),
    ...(form.kind === 'managed' && !isWithin(objects, images)
      ? { objects: `Enter a whole number from ${objects.min} to ${objects.max}.` }
      : {}),
    ...(own && form.journey === 'usual' && !form.page.trim().startsWith('/')
      ? { page: 'Enter a path that starts with /.' }
      : {}),
    ...(isKnown ? {} : { links: `Enter up to ${links.most} ${links.item.taken}.` }),
    ...(isWithin(blocks, count)
      ? {}
      : { blocks: `Enter a whole number from ${blocks.min} to ${blocks.max}.` }),
  };
  if (Object.keys(messages).length > 0) return { request: null, messages };
  const sides = { baseline: form.baseline, comparison: form.comparison };
  const request: CreateMeasurement = {
    ...{ kind: 'visits', target: targetOf(form), ...sides, journey: journeyOf(form), blocks: count },
    ...(form.kind === 'managed' ? { objects: images, resumed: form.resumed } : {}),
    ...(paths === null || paths.length === 0 ? {} : { links: paths as string[] }),
  };
  return { request, messages };
}

function isWithin({ min, max }: { min: number; max: number }, value: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function targetOf({ kind, managed, ...typed }: VisitsForm): TargetInput {
  if (kind === 'managed') return managed;
  if (kind === 'storefront') return { kind };
  const ca = typed.ca.trim();
  const origins = schemesOf(typed).map((scheme) => [scheme, typed[scheme].trim()]);
  return { kind, ...Object.fromEntries(origins), ...(ca === '' ? {} : { ca }) };
}

/** Null for a search in the storefront. */
function journeyOf({ kind, journey, kept, page }: VisitsForm): Journey {
  if (journey === 'kept') return kept;
  if (kind !== 'origins') return null;
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
    kind: target.kind,
    ...(target.kind === 'managed' ? { managed: target } : {}),
    ...{ baseline: request.baseline, comparison: request.comparison, objects: String(request.objects) },
    links: request.links.map(linkWord).join(' '),
    http: origins?.http ?? '',
    https: origins?.https ?? '',
    ca: origins?.ca ?? '',
    blocks: String(request.blocks),
    resumed: request.resumed,
    ...(onePage && origins !== null ? { page: action.url } : {}),
    ...(journey === null || (onePage && origins !== null) ? {} : { journey: 'kept' as const, kept: journey }),
  };
}

/** The journeys that there are to choose from, beside a page of one's own. */
export function journeyChoices({
  kind,
  kept,
}: VisitsForm): { value: VisitsForm['journey']; label: string }[] {
  if (kind === 'managed') return [{ value: 'usual', label: 'One page' }];
  const usual = kind === 'storefront' ? 'Search in the storefront' : 'One page';
  return [
    { value: 'usual', label: usual },
    ...(kept === null ? [] : [{ value: 'kept' as const, label: kept.name }]),
  ];
}
