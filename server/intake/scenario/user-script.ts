import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import type { DataRows, Method, Step } from '../../../shared/scenario/scenario.ts';
import type { Script, ScriptStep } from './compiled-script.ts';
import { CookieJar, type CookieOrigin, ResponseView, type ScriptResponse } from './cookie-jar.ts';
import { TooMuchWork } from './pattern.ts';
import { carriesBody, isHeaderValue, requestHeaders } from './template.ts';

/** A request with its variables and cookies filled in, for any version of HTTP. */
export type RenderedStep = {
  method: Method;
  path: string;
  /** In order, the defaults included; without what frames the message or names the host. */
  headers: (readonly [name: string, value: string])[];
  /** Null when no length is announced. */
  body: Buffer | null;
};

type ScriptProblem = {
  outcome: Extract<RequestOutcome, 'check_failed' | 'extraction_failed'>;
  detail: string;
};

/**
 * Memory of one virtual user: the values of its variables and its cookies. Each transaction is the visit of somebody new, so both are
 * forgotten when it begins. For each step call `render`, then, with the response, `examine`.
 */
export class UserScript {
  readonly #script: Script;
  readonly #jar: CookieJar | null;
  #values: string[] = [];
  /** Path of the request under way. */
  #path = '/';

  constructor(script: Script, origin: CookieOrigin) {
    this.#script = script;
    this.#jar = script.cookies ? new CookieJar(origin) : null;
  }

  /** @param row of the scenario's data, from 0; it wraps around */
  beginTransaction(row: number): void {
    const { data } = this.#script;
    this.#values = data === null ? [] : [...rowOf(data, row)];
    this.#jar?.clear();
  }

  /** The step's request, and the parts of its response that it has to see. */
  step(index: number): ScriptStep {
    const step = this.#script.steps[index];
    if (step === undefined) throw new Error(`the scenario has no step ${index}`);
    return step;
  }

  /** Null when the request is the one that the scenario has literally. */
  render(index: number): RenderedStep | null {
    const step = this.step(index);
    this.#path = step.path.render(this.#values);
    const cookies = this.#jar?.headerFor(this.#path) ?? null;
    if (step.isStatic && cookies === null) return null;
    const headers = step.headers.map(([name, value]) => [name, value.render(this.#values)] as const);
    return {
      method: step.method,
      path: this.#path,
      headers: cookies === null ? headers : withCookies(headers, cookies),
      body: step.body === null ? null : Buffer.from(step.body.render(this.#values)),
    };
  }

  /** The variables that the step has taken from its response, once it was examined. */
  taken(index: number): { name: string; value: string }[] {
    return this.step(index).extractions.flatMap(({ variable, slot }) => {
      const value = this.#values[slot];
      return value === undefined ? [] : [{ name: variable, value }];
    });
  }

  /** Keeps cookies, checks the response and takes variables from it; null when all is well. */
  examine(index: number, response: ScriptResponse): ScriptProblem | null {
    if (this.#jar !== null) for (const cookie of response.setCookies) this.#jar.store(cookie, this.#path);
    const { checks, extractions } = this.step(index);
    if (checks.length === 0 && extractions.length === 0) return null;
    const view = new ResponseView(response);
    for (const check of checks) {
      const holds = withinWork(() => check.holds(view));
      if (holds === true) continue;
      const detail = holds === false ? check.detail : `${check.detail}: ${holds.message}`;
      return { outcome: 'check_failed', detail };
    }
    for (const extraction of extractions) {
      const value = withinWork(() => extraction.take(view));
      if (value instanceof TooMuchWork)
        return failed(`no value for \${${extraction.variable}}: ${value.message}`);
      if (value === null) return failed(extraction.detail);
      if (extraction.inHeader && !isHeaderValue(value)) {
        return failed(`the value of \${${extraction.variable}} is not valid in a header`);
      }
      this.#values[extraction.slot] = value;
    }
    return null;
  }
}

function failed(detail: string): ScriptProblem {
  return { outcome: 'extraction_failed', detail };
}

function withinWork<Found>(look: () => Found): Found | TooMuchWork {
  try {
    return look();
  } catch (error) {
    if (error instanceof TooMuchWork) return error;
    throw error;
  }
}

/** A request has one Cookie header: a step's own cookies come first in it. */
function withCookies(headers: RenderedStep['headers'], cookies: string): RenderedStep['headers'] {
  const own = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cookie');
  return [...others, ['Cookie', [...own, cookies].join('; ')]];
}

/** The values of a transaction's row; after the last row comes the first again. */
function rowOf(data: DataRows, index: number): readonly string[] {
  return data.rows[index % data.rows.length] ?? [];
}

/** The request of a step as it is written, for a scenario without variables and cookies. */
export function literalRequest(step: Step): RenderedStep {
  return {
    method: step.method,
    path: step.path,
    headers: requestHeaders(step),
    body: carriesBody(step) ? Buffer.from(step.body ?? '') : null,
  };
}
