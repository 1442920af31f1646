import type { VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { mayCall } from '../../../api/identity.ts';
import { starting } from '../../../api/late-endpoints.ts';
import type { CreateMeasurement } from '../../../api/use-create-measurement.ts';
import type { Step } from '../../../components/step-buttons.tsx';

export function stepsOf(document: VisitsDocument): Step[] {
  if (!mayCall(starting)) return [];
  const { id, request } = document;
  const scenario = request.journey?.scenario ?? null;
  const change = typesSecrets(request)
    ? scenario === null
      ? []
      : [{ title: 'Change settings', to: `/scenarios/${scenario}` }]
    : [{ title: 'Change settings', to: `/lab/visits?again=${id}` }];
  const again = againVisits(document);
  return [...(again === null ? [] : [{ title: 'Run again', request: again }]), ...change];
}

/** The request once more; null where it needs what was never kept: secrets, keys, and trust for that measurement only. */
export function againVisits({ request }: Pick<VisitsDocument, 'request'>): CreateMeasurement | null {
  const { target, seed: _, ...asked } = request;
  const own =
    target.kind === 'origins' ? (target.trust ?? target.clientCertificate ?? target.agent) : undefined;
  // A seed that was asked for would repeat the order of the visits too.
  return own !== undefined || typesSecrets(request) ? null : { ...asked, target };
}

function typesSecrets({ journey }: VisitsDocument['request']): boolean {
  return JSON.stringify(journey).includes('${secret:');
}
