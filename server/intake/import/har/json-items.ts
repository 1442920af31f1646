import { Tokenizer, TokenizerError, TokenType } from '@streamparser/json';

/**
 * The items of one array of a large JSON document, one at a time: `log.entries` of a HAR. What lies beside the
 * array is read over without being kept, so memory holds one item, whatever the size of the document.
 */
type JsonItems = {
  /** Throws JsonError. */
  write(bytes: Uint8Array): void;
  /** Throws JsonError when the document is cut off. */
  end(): void;
  /** Whether the array was there. */
  readonly found: boolean;
};

/** Not JSON, or more than the limits allow; `item` is the place of the item, from 1, or null outside of the array. */
export class JsonError extends Error {
  readonly item: number | null;

  constructor(message: string, item: number | null) {
    super(message);
    this.item = item;
  }
}

const limits = { depth: 100, valuesOfAnItem: 200_000 };

type Container = { holder: Record<string, unknown> | unknown[] | null; key: string; isArray: boolean };
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing more';

export function openJsonItems(path: string[], onItem: (item: unknown, number: number) => void): JsonItems {
  // In buffers of its own, since a string that grows by characters takes many times its size.
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  const stack: Container[] = [];
  let expected: Expected = 'value';
  let key = '';
  let item = 0;
  let values = 0;
  let found = false;
  let inItems = false;

  tokenizer.onToken = ({ token, value }) => {
    switch (token) {
      case TokenType.LEFT_BRACE:
        return open({}, false);
      case TokenType.LEFT_BRACKET:
        return open([], true);
      case TokenType.RIGHT_BRACE:
        return close(false);
      case TokenType.RIGHT_BRACKET:
        return close(true);
      case TokenType.COLON:
        if (expected !== ':') throw problem(`has a : where ${expected} should be`);
        expected = 'value';
        return;
      case TokenType.COMMA:
        if (expected !== ', or end') throw problem(`has a comma where ${expected} should be`);
        expected = stack.at(-1)?.isArray ? 'value' : 'key';
        return;
      default:
        if (token === TokenType.STRING && expected.startsWith('key')) {
          key = value as string;
          expected = ':';
          return;
        }
        begin();
        add(value);
    }
  };
  tokenizer.onError = (error) => {
    if (error instanceof TokenizerError) throw problem('is not JSON');
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw problem('is not written in UTF-8');
    }
    throw error;
  };

  function open(holder: Record<string, unknown> | unknown[], isArray: boolean): void {
    begin();
    if (stack.length >= limits.depth) throw problem(`is nested deeper than ${limits.depth} levels`);
    stack.push({ holder: inItems ? holder : null, key, isArray });
    key = '';
    if (!inItems && isArray && leadsToItems()) found = true;
    expected = isArray ? 'value or ]' : 'key or }';
  }

  function close(isArray: boolean): void {
    const top = stack.at(-1);
    const maybe = isArray ? 'value or ]' : 'key or }';
    if (top?.isArray !== isArray || (expected !== ', or end' && expected !== maybe)) {
      throw problem('closes a bracket that is not open');
    }
    stack.pop();
    key = top.key;
    add(top.holder);
  }

  /** A value starts: the first token of it is here. */
  function begin(): void {
    if (expected !== 'value' && expected !== 'value or ]')
      throw problem(`has a value where ${expected} should be`);
    if (!inItems && stack.length === path.length + 1 && leadsToItems()) {
      inItems = true;
      item += 1;
      values = 0;
    }
    values += 1;
    if (inItems && values > limits.valuesOfAnItem)
      throw problem(`has more than ${limits.valuesOfAnItem} values`);
  }

  /** A value is complete: it goes into what holds it. */
  function add(value: unknown): void {
    const parent = stack.at(-1);
    expected = parent === undefined ? 'nothing more' : ', or end';
    if (!inItems) return;
    if (stack.length === path.length + 1) {
      inItems = false;
      onItem(value, item);
    } else if (Array.isArray(parent?.holder)) parent.holder.push(value);
    // `holder['__proto__'] = value` would give the object another prototype.
    else if (parent?.holder && key !== '__proto__') parent.holder[key] = value;
  }

  function leadsToItems(): boolean {
    return (
      stack.length === path.length + 1 &&
      stack.at(-1)?.isArray === true &&
      path.every((name, level) => stack[level + 1]?.key === name)
    );
  }

  function problem(what: string): JsonError {
    return new JsonError(what, inItems ? item : null);
  }

  return {
    write: (bytes) => tokenizer.write(bytes),
    end() {
      if (expected !== 'nothing more') throw new JsonError('ends too early', item > 0 ? item : null);
    },
    get found() {
      return found;
    },
  };
}
