/** Protects secrets in other people's files: none is in any answer, export, log, or file of the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { importReportSchema } from '../../../shared/scenario/import.ts';
import { exportFormats, storedScenarioSchema } from '../../../shared/scenario/stored-scenario.ts';
import type { CanaryInput } from '../../testing/canaries/canary-input.ts';
import { canaryInputs } from '../../testing/canaries/canary-inputs.ts';
import { authority, issue, serveHttp, serveHttps } from '../../testing/preflight-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-canaries-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

/** Every thirteenth, which is each of the six writings: `canaries.test.ts` reads all of them. */
const inputs = canaryInputs().filter((_, index) => index % 13 === 0);
const launched = 'Kanarie launch/1 "é" & <b>';

/** Sends back what it was sent in every way that applications do, differently on each side. */
const echo =
  (side: string): RequestListener =>
  async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const said = `${request.url} ${JSON.stringify(request.headers)} ${body}`;
    const forms = [
      said,
      encodeURIComponent(said),
      JSON.stringify(said),
      Buffer.from(said).toString('base64'),
    ];
    response.setHeader('x-echo', `${side} ${encodeURIComponent(said).slice(0, 4000)}`);
    response.setHeader('content-type', 'text/html').end(`<p>${side}</p>${forms.join('\n')}`);
  };

test('Imported, saved, exported and tried, no secret of the corpus is anywhere', async () => {
  const program = startProgram('server/edge/main.ts', [], {
    ...{ PORT: '0', TLS_TOLL_DATA: directory, LOG_LEVEL: 'debug' },
  });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  const said: { where: string; text: string }[] = [];
  const ask = async (where: string, path: string, options: RequestInit = {}): Promise<string> => {
    const reply = await fetch(`${url}/api/v1${path}`, options);
    const text = await reply.text();
    said.push({ where, text });
    expect(reply.status, `${where}: ${text}`).toBeLessThan(300);
    return text;
  };
  const post = (where: string, path: string, body: string, type = 'application/json') =>
    ask(where, path, { method: 'POST', headers: { Origin: url, 'Content-Type': type }, body });
  const ports = [await serveHttp(echo('plain')), await serveHttps(echo('secure'), await issue('localhost'))];
  const target = {
    ...{ http: `http://localhost:${ports[0]}`, https: `https://localhost:${ports[1]}` },
    ca: authority.certificatePem,
  };

  expect(inputs.length).toBeGreaterThanOrEqual(12);
  for (const [index, { name, format, text }] of inputs.entries()) {
    const read = await post(name, `/scenarios/import?as=${format}`, text, 'application/octet-stream');
    const { scenario, actions, unsupported } = importReportSchema.parse(JSON.parse(read));
    if (scenario === null) continue;
    const draft = { scenario, actions, unsupported, origin: 'import' };
    const { id, secrets } = storedScenarioSchema.parse(
      JSON.parse(await post(`${name}, saved`, '/scenarios', JSON.stringify(draft))),
    );
    for (const as of exportFormats) {
      await ask(`${name}, exported to ${as}`, `/scenarios/${id}/export?as=${as}`);
    }
    if (index % 3 !== 0) continue;
    const values = Object.fromEntries(secrets.map((secret) => [secret, launched]));
    const request = JSON.stringify({ target, secrets: values });
    await post(`${name}, tried`, `/scenarios/${id}/dry-run`, request);
  }

  const stored = textsOfData(directory);
  program.kill('SIGINT');
  expect(await program.ended).toBe(0);
  const logged = { where: 'the log', text: program.stdout() + program.stderr() };
  expect(logged.text).toContain('/api/v1/scenarios/import');
  expect(stored.some(({ text }) => text.includes('"steps"'))).toBe(true);
  expect(leaksIn([...said, ...stored, ...textsOfData(directory), logged], inputs)).toEqual([]);
});

function leaksIn(texts: { where: string; text: string }[], from: readonly CanaryInput[]): string[] {
  const values = [...from.flatMap(({ canaries }) => canaries), launched];
  // Three digits are in every file of numbers.
  const spelled = new Set(
    values
      .filter((value) => value.length > 5)
      .flatMap((value) => [
        ...[value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)],
        ...[Buffer.from(value).toString('base64').slice(0, -4), value.replaceAll('&', '&amp;')],
      ]),
  );
  return [...spelled].flatMap((value) =>
    texts.filter(({ text }) => text.includes(value)).map(({ where }) => `${value} in ${where}`),
  );
}
