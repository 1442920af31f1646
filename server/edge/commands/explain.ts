import { problem } from '../../../shared/base/problem.ts';
import { schemeOf } from '../../../shared/base/transport.ts';
import { explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';
import { numberIn } from './option-values.ts';
import { targetOf, withBothAddresses } from './target-options.ts';

const options = measuringVerb(
  'explain',
  'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded.',
  explainOptions,
)
  .optionsGroup('Instead of starting a server:')
  .option('--http <url>', 'Address of the HTTP side (default: that of --https, on port 80 or 8080)')
  .option('--https <url>', 'Address of the HTTPS side (default: that of --http, on port 443 or 8443)')
  .option('--ca <file>', 'PEM file of the CA that signed the HTTPS side’s certificate')
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this measurement only')
  .option('--pid <n>', 'Process ID of the target (default: found by its listening port)', numberIn);

export async function explain(args: string[]): Promise<number> {
  const { request, format, labels } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseExplain(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const read = (own: object) =>
    readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain', ...own });
  const { request } = read({});
  const needed = new Set([schemeOf(request.baseline), schemeOf(request.comparison)]);
  const { http, https, ca, trust, pid } = withBothAddresses(parsed.opts(), needed);
  if ((http ?? https) === undefined) return read({});
  if (parsed.getOptionValueSource('target' as never) === 'cli') {
    throw problem(
      'invalid_arguments',
      '--target names a server to start, --http and --https a running one. Give one or the other.',
    );
  }
  return read({ target: targetOf({ http, https, ca, trust, pid }, {}, needed) });
}
