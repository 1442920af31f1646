import { type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { pathSchema } from '../../../shared/scenario/scenario.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import type { TargetInput } from '../../../shared/target/target.ts';
import { agentMessages, agentOf } from './agent-form.ts';
import { exporterMessages, exporterOf } from './exporter-form.ts';
import { asksPaths, comparisons, type FieldMessages, type LaunchForm } from './form-shape.ts';
import { guessOf } from './guess-address.ts';

/** Two addresses and a path, as they are typed. */

export function originsOf(form: LaunchForm): TargetInput {
  const { http, https } = addressesOf(form);
  const [ca, trust, twin, pid] = [form.ca, form.trust, form.twin, form.pid].map((text) => text.trim());
  return {
    ...{ kind: 'origins', http, https },
    ...(ca === '' ? {} : { ca }),
    ...(trust === '' ? {} : { trust }),
    ...(twin === '' ? {} : { twin }),
    ...(pid === '' ? {} : { pid: Number(pid) }),
    ...agentOf(form),
    ...exporterOf(form),
  };
}

function addressesOf(form: LaunchForm): Record<Scheme, string> {
  const guess = guessOf(form);
  const given = { http: form.http.trim(), https: form.https.trim() };
  return guess === null ? given : { ...given, [guess.side]: guess.address };
}

export function originMessages(form: LaunchForm): FieldMessages {
  const messages: FieldMessages = {};
  const addresses = addressesOf(form);
  for (const scheme of ['http', 'https'] as const) {
    const problem = addressProblem(addresses[scheme], scheme);
    if (problem !== null) messages[scheme] = problem;
  }
  const twin = form.twin.trim();
  const twinProblem =
    twin === '' ? null : addressProblem(twin, schemeOf(comparisons[form.comparison].transports[0]));
  if (twinProblem !== null) messages.twin = twinProblem;
  if (form.ca.trim() !== '' && !form.ca.includes('-----BEGIN CERTIFICATE-----')) {
    messages.ca = 'Paste a PEM certificate, with its BEGIN CERTIFICATE line.';
  }
  if (form.pid.trim() !== '' && !/^[1-9]\d{0,6}$/.test(form.pid.trim())) {
    messages.pid = 'Give a process ID, a whole number above 0.';
  }
  return { ...messages, ...agentMessages(form), ...exporterMessages(form) };
}

export function pathsIn({ path }: LaunchForm): string[] {
  return path.split(/\s+/).filter((each) => each !== '');
}

export function pathMessage(form: LaunchForm): string | null {
  if (!asksPaths(form)) return null;
  const paths = pathsIn(form);
  if (paths.length === 0) return 'Give a path, such as /.';
  const wrong = paths.find((path) => !pathSchema.safeParse(path).success);
  if (wrong !== undefined) return `Begin each path with one /, as in /shop. “${wrong}” is not a path.`;
  return paths.length > mostPaths ? `Give at most ${mostPaths} paths.` : null;
}

const mostPaths = 50;
