/** Whether this machine runs the vector build. */
export function hasSimd(): boolean;

/** Loads the module: the vector build where it runs, else the scalar one. */
export function load(options?: {
  /** Where the folders `simd` and `scalar` lie; by default beside this file. */
  base?: URL;
  /** A build instead of the one that fits this machine. */
  build?: 'simd' | 'scalar';
  /** The module itself (bytes, or a `WebAssembly.Module`), where nothing can be fetched. In Node it is read from the folder. */
  bytes?: ArrayBuffer | ArrayBufferView | object;
}): Promise<Crumple>;

// Classes come with the loaded module; here they are types.
export type { Crumple, Buffers, Drawing, Body, Place, Scene, Report, Point, World, Figure };

interface Crumple {
  readonly build: 'simd' | 'scalar';
  /** The module's memory; its buffer is another one after it has grown. */
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly Scene: typeof Scene;
  readonly World: typeof World;
  readonly Figure: typeof Figure;
}

/** Views of the module's memory: use them before the next call, or copy them. */
interface Buffers {
  /** Three numbers a vertex, all bodies end to end. */
  positions: Float32Array;
  /** Three numbers a vertex, not of unit length. */
  normals: Float32Array;
  /** Three indices each, into all vertices. */
  triangles: Uint32Array;
  /** Of each body: first vertex, vertices, first triangle, triangles. */
  ranges: Uint32Array;
}

/**
 * A structure. A tone is 0 to 63 for a level of a hierarchy, 64 to 127 for one of many groups, 128 for what was looked at
 * without a result, 129 for a part of the answer.
 */
interface Drawing {
  /** Six numbers each. */
  lines: Float32Array;
  lineTones: Uint8Array;
  /** Three numbers each. */
  points: Float32Array;
  pointTones: Uint8Array;
  /** Painted triangles, counted over all bodies. */
  triangles: Uint32Array;
  triangleTones: Uint8Array;
  /** How many boxes, lines and points were left out because there are too many to see. */
  leftOut: number;
}

interface Body {
  id: number;
  name: string;
  vertices: number;
  triangles: number;
  tets: number;
  closed: boolean;
  /** What the reader skipped or repaired. */
  notes: string[];
}

/** Contacts that hang together. */
interface Place {
  bodies: [number, number];
  pairs: number;
  /** Length of the curve along which they cross. */
  length: number;
  centre: [number, number, number];
  /** Diagonal of the box that holds the crossing. */
  size: number;
}

/** Bodies, and every question about them. Ids count from 0; a removed body keeps its id. Errors are thrown. */
declare class Scene {
  constructor();
  /** The body of a file in memory; its name says the format. The error is the reader's message, with line or byte. */
  addFile(name: string, bytes: Uint8Array): number;
  addTriangles(name: string, positions: Float64Array, triangles: Uint32Array): number;
  addTets(name: string, positions: Float64Array, tets: Uint32Array): number;
  setPositions(body: number, positions: Float64Array): void;
  remove(body: number): void;
  readonly bodyCount: number;
  body(id: number): Body;
  /** A view. */
  positions(body: number): Float64Array;
  /** A view. */
  triangles(body: number): Uint32Array;
  /** Another method for contacts; nothing for the engine's own choice. */
  useMethod(name?: 'regularity' | 'bucket-tree' | 'brute-force'): void;
  /** Intersecting triangles, sorted, four numbers a row: body, triangle, body, triangle. */
  contacts(): Uint32Array;
  /** Vertices inside tets, sorted, four numbers a row: body, vertex, body, tet. */
  penetrations(): Uint32Array;
  /** The longest crossing first. */
  places(): Place[];
  /** The curves along which contacts cross, six numbers a segment, relative to `origin`. */
  crossings(): Float32Array;
  distance(a: number, b: number):
    | { distance: number; lower: number; upper: number; a: number[]; b: number[]; contains: null | 'a' | 'b' }
    | undefined;
  /** The volume that two closed bodies share, with bounds. */
  overlap(a: number, b: number, rays?: number): { volume: number; lower: number; upper: number };
  /** 1 for each point (three numbers) inside a closed body, else 0. */
  inside(body: number, points: Float64Array): Uint8Array;
  countInside(of: number, within: number): number;
  /** Moves what crosses apart, as little as possible, in so many rounds at most. */
  untangle(rounds?: number): { before: number; after: number; moved: number; largest: number };
  /** Which method answers what, and why. */
  explain(): string[];
  stats(): { visits: number; tests: number; certified: number; candidates: number; contacts: number };
  drawing(): Drawing;
  layOut(): Buffers;
  /** What positions for drawing are relative to. */
  readonly origin: Float64Array;
  free(): void;
}

interface Report {
  frame: number;
  passes: number;
  substeps: number;
  contacts: number;
  watched: number;
  /** Pairs of triangles that intersect at the end of the step, by exact detection. */
  intersections: number;
  /** Vertices that were held back. */
  held: number;
  progress: number;
  torn: number;
  seconds: { step: number; detect: number; solve: number; certify: number; verify: number; cut: number };
}

type Point = [number, number, number];

/** The simulator. Errors are thrown, and nothing has moved then. */
declare class World {
  constructor(options?: { gravity?: number; substeps?: number; example?: string });
  static readonly examples: string[];
  readonly view: { centre: Point; size: number };
  addCloth(name: string, positions: Float64Array, triangles: Uint32Array): number;
  addSolid(name: string, positions: Float64Array, tets: Uint32Array, young?: number): number;
  addFixed(name: string, positions: Float64Array, triangles: Uint32Array): number;
  lead(body: number, positions: Float64Array): void;
  pin(body: number, vertex: number): void;
  unpin(body: number, vertex: number): void;
  /** Takes hold of what a line points at, within `reach` of it. */
  grab(from: Point, along: Point, reach: number): { grab: number; at: Point } | undefined;
  pull(grab: number, to: Point): void;
  release(grab: number): void;
  /** Moves a blade: tip and heel of its edge before and after. */
  stroke(from: [Point, Point], to: [Point, Point]): { parted: number; opened: number; refused: number };
  /** Whether things may cross; they never do by default. */
  setFree(isFree: boolean): void;
  step(dt: number): Report;
  report(): Report;
  bodies(): { name: string; kind: 'cloth' | 'solid' | 'particles' | 'fixed' }[];
  layOut(): Buffers & { isNew: boolean };
  contacts(): Uint32Array;
  explain(): string;
  /** A structure on the present frame: the one that answers about intersections, or that of a paper's method. */
  drawing(name?: 'answering' | 'regions' | 'buckets' | 'cells' | 'layers' | 'distances'): Drawing;
  /** The present frame by a paper's own rule beside the exact answer; `triangles` are those of what it misses. */
  compare(rule: 'volino' | 'ganovelli' | 'teschner' | 'heidelberger' | 'madera'):
    { what: string; there: number; found: number; missed: number; exactMs: number; ruleMs: number; triangles: Uint32Array };
  /** Moves what crosses apart, as little as possible, in so many rounds at most. */
  untangle(rounds?: number): { before: number; after: number; moved: number; largest: number };
  /** Equal exactly when all bits of all positions and velocities are. */
  hash(): bigint;
  free(): void;
}

/** A paper's figure, alive. */
declare class Figure {
  constructor(name: 'volino' | 'ganovelli' | 'teschner' | 'heidelberger' | 'madera');
  readonly view: { centre: Point; size: number };
  at(time: number, published?: boolean): void;
  facts(): string[][];
  missed(): Uint32Array;
  drawing(): Drawing;
  layOut(): Buffers;
  free(): void;
}
