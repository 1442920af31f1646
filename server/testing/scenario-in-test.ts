import { type ScenarioInput, scenarioSchema } from '../../shared/scenario/scenario.ts';
import { compileScript } from '../intake/scenario/compiled-script.ts';
import type { ScriptResponse } from '../intake/scenario/cookie-jar.ts';
import { UserScript } from '../intake/scenario/user-script.ts';

type StepInput = Partial<ScenarioInput['steps'][number]>;

export function scenarioOf(steps: StepInput[], rest: Partial<ScenarioInput> = {}) {
  return scenarioSchema.parse({
    name: 'tested',
    steps: steps.map((step, index) => ({ name: `step ${index}`, method: 'GET', path: '/', ...step })),
    ...rest,
  });
}

export function userOf(steps: StepInput[], rest: Partial<ScenarioInput> = {}, secure = true): UserScript {
  const script = compileScript(scenarioOf(steps, rest));
  if (script === null) throw new Error('the scenario is plain');
  const user = new UserScript(script, { hostname: 'shop.test', secure, now: () => 0 });
  user.beginTransaction(0);
  return user;
}

export function responseOf(
  body: string | Buffer,
  headers: Record<string, string> = {},
  setCookies: string[] = [],
): ScriptResponse {
  return {
    header: (name) => headers[name.toLowerCase()],
    setCookies,
    body: Buffer.isBuffer(body) ? body : Buffer.from(body),
  };
}
