import type { Site } from '../../../shared/scenario/recording.ts';
import { emptyForm, type LaunchForm } from './form-shape.ts';
import { splitAddress } from './pasted-address.ts';

/** What the form says of a target where a scenario was recorded; nothing new where it is filled in for that place already. */
export function targetOfSite(site: Site | null, form: LaunchForm): Partial<LaunchForm> {
  if (site === null) return {};
  if (site === 'storefront') return { targetKind: 'storefront' };
  if (form.targetKind === 'origins' && [form.http, form.https].includes(site)) return {};
  const { ca, trust, twin, pid, agent, agentKey, agentToken } = emptyForm;
  const { prometheus, prometheusCpu, prometheusMemory, prometheusToken } = emptyForm;
  return {
    ...{ targetKind: 'origins', ca, trust, twin, pid, agent, agentKey, agentToken },
    ...{ prometheus, prometheusCpu, prometheusMemory, prometheusToken },
    ...splitAddress(site, form),
  };
}
