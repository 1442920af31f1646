import type { ZodType } from 'zod';
import { problem, problemOfField } from '../../../shared/base/problem.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import type { SidesRequest } from '../../../shared/kinds/comparison/side.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { exporterTokenName, exporterTokenSchema } from '../../../shared/target/prometheus-source.ts';
import { agentTokenName, agentTokenSchema } from '../../../shared/target/remote-readings.ts';
import { clientKeyName, type Target } from '../../../shared/target/target.ts';

/** What a request is pointed at, with what its sides have of their own. */
type Pointed = { target: Target; sides?: SidesRequest };

/** Names of the secrets that a target needs beside those of the scenario. */
export function secretsOfTarget({ target, sides }: Pointed): string[] {
  if (target.kind !== 'origins') return [];
  const own = sideNames.map((side) => sides?.[side].target);
  const presents = [target, ...own].some((each) => each?.clientCertificate !== undefined);
  return [
    ...(target.agent === undefined ? [] : [agentTokenName]),
    ...(target.prometheus?.bearer === true ? [exporterTokenName] : []),
    ...(presents ? [clientKeyName] : []),
  ];
}

/** The scenario's secrets alone: what reads the target must never be sent to it. */
export function secretsOfScenario(asked: Pointed, values: SecretValues): SecretValues {
  const others = new Set(secretsOfTarget(asked));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)));
}

const readers: Record<string, { whose: string; schema: ZodType<string> }> = {
  [agentTokenName]: { whose: 'agent', schema: agentTokenSchema },
  [exporterTokenName]: { whose: 'exporter', schema: exporterTokenSchema },
};

/** Throws secret_missing, invalid_request, when the target is read with a token and this is none for it. */
export function demandReaderTokens(asked: Pointed, values: SecretValues): void {
  for (const name of secretsOfTarget(asked)) if (name in readers) demandToken(name, values[name]);
}

function demandToken(name: string, token: string | undefined): void {
  const field = `secrets.${name}`;
  const { whose, schema } = readers[name] ?? {};
  if (token === undefined) {
    const message = `the token of the ${whose} has no value`;
    throw problem('secret_missing', {
      detail: `The token of the ${whose} has no value.`,
      errors: [{ field, message }],
    });
  }
  const message = schema?.safeParse(token).error?.issues[0]?.message;
  if (message !== undefined) throw problemOfField('invalid_request', field, message);
}
