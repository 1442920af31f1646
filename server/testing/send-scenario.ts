import type { Scenario, SecretValues } from '../../shared/scenario/scenario.ts';
import { assembleRequest } from '../base/wire/ask.ts';
import { compileScript, fillOrigin } from '../intake/scenario/compiled-script.ts';
import { fillSecrets } from '../intake/scenario/secrets.ts';
import { literalRequest, UserScript } from '../intake/scenario/user-script.ts';
import { sendTo } from './echo-server.ts';
import { responseOf } from './scenario-in-test.ts';

/** For tests: sends the requests of a scenario to an echo server, as the load generator composes them. */
export async function sendScenario(written: Scenario, values: SecretValues, port: number): Promise<void> {
  const scenario = fillOrigin(fillSecrets(written, values), `http://127.0.0.1:${port}`);
  const script = compileScript(scenario);
  const origin = { hostname: '127.0.0.1', secure: false, now: Date.now };
  const user = script === null ? null : new UserScript(script, origin);
  user?.beginTransaction(0);
  for (const [index, step] of scenario.steps.entries()) {
    const request = user?.render(index) ?? literalRequest(step);
    const cookies = await sendTo(port, assembleRequest(request, `127.0.0.1:${port}`, false));
    user?.examine(index, responseOf('', {}, cookies));
  }
}
