import { Parser } from 'htmlparser2';

/**
 * The value of the first `<input>` with this name, entities decoded; null when there is none.
 * A streaming parser, as it must not be taken in by comments, scripts and the many ways to write an attribute.
 */
export function findInput(html: string, name: string): string | null {
  let value: string | null = null;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag !== 'input' || attributes.name !== name) return;
      value = attributes.value ?? '';
      parser.pause();
    },
  });
  parser.write(html);
  return value;
}
