import { certificatesIn } from '../../../shared/base/pem.ts';
import { type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { pathSchema } from '../../../shared/scenario/scenario.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import type { TargetInput } from '../../../shared/target/target.ts';
import { asksPaths, type FieldMessages, type LaunchForm } from './form-shape.ts';
import { guessOf } from './pasted-address.ts';
import { readingMessages, readingsOf } from './readings-form.ts';
import { sharedScheme } from './side-form.ts';

/** Two addresses and a path, as they are typed. */

export function originsOf(form: LaunchForm): TargetInput {
  const [ca, trust, twin, pid] = [form.ca, form.trust, form.twin, form.pid].map((text) => text.trim());
  return {
    kind: 'origins',
    ...addressesOf(form),
    ...(ca === '' ? {} : { ca }),
    ...(trust === '' ? {} : { trust }),
    ...(twin === '' ? {} : { twin }),
    ...(pid === '' ? {} : { pid: pidsIn(pid) }),
    ...readingsOf(form),
  };
}

/** One, or several with commas in between. */
export function pidsIn(text = ''): number | number[] {
  const pids = text.split(',').map(Number);
  return pids.length === 1 ? (pids[0] as number) : pids;
}

/** Of each scheme that a side speaks. */
function addressesOf(form: LaunchForm): Partial<Record<Scheme, string>> {
  const scheme = sharedScheme(form);
  if (scheme !== null) return { [scheme]: form[scheme].trim() };
  const guess = guessOf(form);
  const given = { http: form.http.trim(), https: form.https.trim() };
  return guess === null ? given : { ...given, [guess.side]: guess.address };
}

export function originMessages(form: LaunchForm): FieldMessages {
  const messages: FieldMessages = {};
  const addresses = addressesOf(form);
  for (const scheme of ['http', 'https'] as const) {
    const address = addresses[scheme];
    const problem = address === undefined ? null : addressProblem(address, scheme);
    if (problem !== null) messages[scheme] = problem;
  }
  const twin = form.twin.trim();
  const twinProblem = twin === '' ? null : addressProblem(twin, schemeOf(form['sides.baseline.transport']));
  if (twinProblem !== null) messages.twin = twinProblem;
  for (const name of ['ca', 'sides.comparison.target.ca'] as const) {
    if (form[name].trim() !== '' && certificatesIn(form[name]).length === 0) {
      messages[name] =
        'Paste a PEM certificate, from its BEGIN CERTIFICATE line to its END CERTIFICATE line.';
    }
  }
  for (const name of ['pid', 'sides.comparison.target.pid'] as const) {
    if (!/^([1-9]\d{0,6}(, ?[1-9]\d{0,6})*)?$/.test(form[name].trim())) {
      messages[name] = 'Give a process ID, a whole number above 0, or several with commas.';
    }
  }
  return { ...messages, ...readingMessages(form) };
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
