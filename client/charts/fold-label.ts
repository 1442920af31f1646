const separator = ' · ';

/** A label in lines, broken between its parts, or where it has one part between its words, each as long as may be. */
export function foldLabel(label: string, { ofParts, ofWords }: LongestLines): string[] {
  const [between, longest] = label.includes(separator) ? [separator, ofParts] : [' ', ofWords];
  const lines: string[] = [];
  for (const part of label.split(between)) {
    const joined = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && joined.length <= longest) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

/** Characters of a line. */
export type LongestLines = { ofParts: number; ofWords: number };
