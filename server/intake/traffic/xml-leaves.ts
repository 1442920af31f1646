/** A text or an attribute in XML, and where it stands. */
type XmlLeaf = {
  /** Of the element or the attribute, without its prefix. */
  name: string;
  /** As it is written. */
  raw: string;
  /** Offsets of its first character and behind its last; white space around it is left out. */
  from: number;
  to: number;
};

/** The texts, CDATA sections and attributes of what looks like XML, in their order. What is broken in it is passed over. */
export function xmlLeaves(text: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const open: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; ) {
    const section = sections.find(({ begin }) => text.startsWith(begin, at));
    const end = text.indexOf(section?.end ?? '>', at);
    if (end < 0) break;
    if (section?.begin === cdata) add(open.at(-1) ?? '', at + cdata.length, end);
    else if (section === undefined) readTag(at + 1, end);
    const behind = end + (section?.end ?? '>').length;
    const next = text.indexOf('<', behind);
    if (next > behind && section?.begin !== '</') add(open.at(-1) ?? '', behind, next);
    if (section?.begin === '</') open.pop();
    at = next;
  }
  return leaves;

  function readTag(from: number, end: number): void {
    const tag = text.slice(from, end);
    const [name = ''] = /^[^\s/>]*/.exec(tag) ?? [];
    for (const { 1: attribute = '', 2: quoted = '', index, 0: all } of tag.matchAll(attributes)) {
      if (quoted === '') continue;
      const begin = from + index + all.length - quoted.length + 1;
      add(localName(attribute), begin, begin + quoted.length - 2);
    }
    if (!tag.endsWith('/')) open.push(localName(name));
  }

  function add(name: string, from: number, to: number): void {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (trimmed === '') return;
    const begin = from + raw.indexOf(trimmed);
    leaves.push({ name, raw: trimmed, from: begin, to: begin + trimmed.length });
  }
}

const cdata = '<![CDATA[';
const sections = [
  { begin: cdata, end: ']]>' },
  { begin: '<!--', end: '-->' },
  { begin: '<?', end: '?>' },
  { begin: '<!', end: '>' },
  { begin: '</', end: '>' },
];

const attributes = /([\w:.-]+)(?:\s*=\s*("[^"]*"|'[^']*'))?/g;

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
