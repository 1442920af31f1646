/** Rows by column name. Enough of RFC 4180 for numbers, ids and quoted words without line breaks. */
export function parseCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const [header, ...lines] = text.split('\r\n').filter((line) => line !== '');
  const columns = splitLine(header ?? '');
  const rows = lines.map((line) => {
    const cells = splitLine(line);
    if (cells.length !== columns.length) throw new Error(`a row has ${cells.length} cells: ${line}`);
    return Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? '']));
  });
  return { columns, rows };
}

function splitLine(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
