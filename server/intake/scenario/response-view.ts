import { parseExactly } from './exact-json.ts';

/** What a script looks at of a response. The body is free of transfer and content codings. */
export type ScriptResponse = {
  /** The first header of this name, without regard to case. */
  header(name: string): string | undefined;
  readonly setCookies: readonly string[];
  readonly body: Buffer;
};

/** Patterns and inputs are looked for in so much of a body; JSON is read as a whole. */
const mostTextBytes = 1024 * 1024;

/** A response with its body as text and as JSON, made when first asked for. Text is taken for UTF-8. */
export class ResponseView {
  readonly #response: ScriptResponse;
  #text: string | null = null;
  #json: { value: unknown } | null = null;

  constructor(response: ScriptResponse) {
    this.#response = response;
  }

  get body(): Buffer {
    return this.#response.body;
  }

  get text(): string {
    this.#text ??= this.body.toString('utf8', 0, mostTextBytes);
    return this.#text;
  }

  /** Undefined when the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.body.toString('utf8')) };
    return this.#json.value;
  }

  header(name: string): string | undefined {
    return this.#response.header(name);
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
