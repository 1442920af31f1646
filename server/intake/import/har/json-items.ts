import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';

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

const opening = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const closing = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

export function openJsonItems(path: string[], onItem: (item: unknown, number: number) => void): JsonItems {
  // In buffers of its own, since a string that grows by characters takes many times its size.
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  // What is partial is told as well, which is how an array without items is known.
  const parser = new TokenParser({
    paths: [['$', ...path, '*'].join('.')],
    keepStack: false,
    emitPartialValues: true,
  });
  let depth = 0;
  /** Of brackets around the items; null before and behind them. */
  let itemsDepth: number | null = null;
  let found = false;
  let items = 0;
  let tokens = 0;

  parser.onValue = ({ value, parent, partial }) => {
    if (!Array.isArray(parent)) return;
    if (partial) {
      found = true;
      itemsDepth = depth;
    } else {
      items += 1;
      onItem(value, items);
    }
  };
  tokenizer.onToken = (info) => {
    if (opening.has(info.token)) depth += 1;
    if (depth > limits.depth) throw problem(`is nested deeper than ${limits.depth} levels`);
    tokens = isInItem() ? tokens + 1 : 0;
    // A value in an object is four tokens: its key, a colon, itself and a comma.
    if (tokens > 4 * limits.valuesOfAnItem) throw problem(`has more than ${limits.valuesOfAnItem} values`);
    parser.write(info);
    if (closing.has(info.token)) depth -= 1;
    if (itemsDepth !== null && depth < itemsDepth) itemsDepth = null;
  };
  tokenizer.onError = (error) => {
    if (error instanceof TokenizerError || error instanceof TokenParserError) throw problem('is not JSON');
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw problem('is not written in UTF-8');
    }
    throw error;
  };

  function isInItem(): boolean {
    return itemsDepth !== null && depth > itemsDepth;
  }

  function problem(what: string): JsonError {
    return new JsonError(what, isInItem() ? items + 1 : null);
  }

  return {
    write: (bytes) => tokenizer.write(bytes),
    end() {
      if (!parser.isEnded) throw new JsonError('ends too early', isInItem() ? items + 1 : null);
    },
    get found() {
      return found;
    },
  };
}
