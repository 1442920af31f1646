/** The part of d3-flame-graph that is used. The package has no types. */
declare module 'd3-flame-graph' {
  type Node = { data: object; depth: number; parent: Node | null; children?: Node[] };
  type Chart = {
    (selection: unknown): void;
    width(px: number): Chart;
    cellHeight(px: number): Chart;
    minFrameSize(px: number): Chart;
    transitionDuration(ms: number): Chart;
    inverted(isIcicle: boolean): Chart;
    sort(isSorted: boolean): Chart;
    setColorMapper(color: (node: Node) => string): Chart;
    setLabelHandler(label: (node: Node) => string): Chart;
    onClick(act: (node: Node) => void): Chart;
    zoomTo(node: Node): void;
    destroy(): Chart;
  };
  export default function flamegraph(): Chart;
}

declare module 'd3-selection' {
  export function select(element: Element): {
    datum(data: unknown): unknown;
    /** From d3-transition, which the library loads. */
    interrupt(): unknown;
  };
}
