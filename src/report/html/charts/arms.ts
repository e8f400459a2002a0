/** Shapes by an arm's place: they say what the colour says. */
const SHAPES = ['circle', 'square', 'diamond', 'triangle-up'] as const;

/** The colour of the arm at this place; the baseline has the first. */
export function armColour(index: number): string {
  return `var(--arm-${index % SHAPES.length})`;
}

/** Vega's name of the arm's shape. */
export function armShape(index: number): string {
  return SHAPES[index % SHAPES.length] ?? 'circle';
}
