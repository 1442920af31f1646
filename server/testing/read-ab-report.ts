/** Reads a report of `ab` as scripts do: by its labels. What is not there is undefined. */
export type AbReport = {
  texts: Record<string, string>;
  numbers: Record<string, number>;
  /** min, mean, sd, median, max by row. */
  times: Record<string, number[]>;
  /** ms by percent. */
  percentiles: Record<string, number>;
};

const labeled =
  /^(Server Software|Server Hostname|SSL\/TLS Protocol|Server Temp Key|TLS Server Name|Document Path): +(.*)$/;

export function readAbReport(text: string): AbReport {
  const texts: AbReport['texts'] = {};
  const numbers: AbReport['numbers'] = {};
  const times: AbReport['times'] = {};
  const percentiles: AbReport['percentiles'] = {};
  for (const line of text.split('\n')) {
    const rung = /^ +(\d+)% +(\d+)/.exec(line);
    const row = /^(Connect|Processing|Waiting|Total): +(\d+ +\d+ +[\d.]+ +\d+ +\d+)$/.exec(line);
    const count = /^([\w/ -]+): +([\d.]+)( bytes| seconds| \[.*)?$/.exec(line);
    const label = labeled.exec(line);
    // Before numbers: an address looks like one.
    if (label !== null) texts[label[1] ?? ''] = label[2] ?? '';
    else if (rung !== null) percentiles[rung[1] ?? ''] = Number(rung[2]);
    else if (row !== null) times[row[1] ?? ''] = (row[2] ?? '').split(/ +/).map(Number);
    else if (count !== null) numbers[nameOf(count[1], count[3])] = Number(count[2]);
  }
  const failures = /\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)/.exec(text);
  if (failures !== null) times.Failures = failures.slice(1).map(Number);
  return { texts, numbers, times, percentiles };
}

/** Two lines have the same label. */
function nameOf(label = '', unit = ''): string {
  return unit.includes('across all concurrent') ? `${label}, across all` : label;
}
