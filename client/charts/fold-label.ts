/** A label in lines, broken between its parts, each as long as may be. */
export function foldLabel(label: string, longest: number): string[] {
  const lines: string[] = [];
  for (const part of label.split(separator)) {
    const joined = `${lines.at(-1)}${separator}${part}`;
    if (lines.length > 0 && joined.length <= longest) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

const separator = ' · ';
