import { problem } from '../../../shared/problem.ts';
import { runChild } from '../../process/children.ts';

const longestMs = 20_000;
const versions = [1, 2];

/** The version of the `k6` on PATH, such as `1.8.1`. Throws k6_unusable. */
export async function findK6(signal?: AbortSignal): Promise<string> {
  return versionOf(await askVersion(signal));
}

/** What `k6 version` printed. Throws k6_unusable. */
export function versionOf(printed: string): string {
  const [, version] = /^k6(?:\.exe)? v(\d+\.\d+\.\d+)/.exec(printed) ?? [];
  if (version === undefined) {
    throw problem(
      'k6_unusable',
      `The k6 on your PATH printed “${printed.trim().slice(0, 100)}” for its version.`,
    );
  }
  return known(version, 'The k6 on your PATH');
}

/** The version that k6 names in its requests, such as `Grafana k6/1.8.1`. Throws k6_unusable. */
export function versionOfAgent(userAgent: string): string {
  const [, version] = /\bk6\/(\d+\.\d+\.\d+)/.exec(userAgent) ?? [];
  if (version === undefined) {
    throw problem('k6_unusable', `“${userAgent.slice(0, 100)}” asked for orders, and is not k6.`);
  }
  return known(version, 'The k6 in the pods');
}

function known(version: string, which: string): string {
  if (versions.includes(Number(version.split('.')[0]))) return version;
  throw problem('k6_unusable', `${which} is version ${version}. TLS Toll needs k6 v1 or v2.`);
}

async function askVersion(signal: AbortSignal | undefined): Promise<string> {
  try {
    const { stdout } = await runChild('k6', ['version'], { timeout: longestMs, signal });
    return stdout;
  } catch (error) {
    signal?.throwIfAborted();
    const { code, killed } = error as { code?: unknown; killed?: boolean };
    if (code === 'ENOENT') throw problem('k6_unusable', 'There is no k6 on your PATH.');
    const how = killed === true ? `did not answer for ${longestMs / 1000} s` : 'ended with an error';
    throw problem('k6_unusable', `The k6 on your PATH ${how} when it was asked for its version.`);
  }
}
