import { visitsTable } from '../../../../shared/kinds/visits/options.ts';
import type { VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { CreateMeasurement } from '../../../api/use-create-measurement.ts';
import { noTarget, type TargetForm, targetOfForm } from '../../../format/target-form.ts';

type Journey = VisitsDocument['request']['journey'];

export type VisitsForm = TargetForm & {
  /** Of a target of one's own, where no journey is kept. */
  page: string;
  blocks: string;
  /** Of the measurement that is asked for again; the usual one otherwise. */
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
