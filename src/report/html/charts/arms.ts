import { type SymbolType, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';

/** Shapes by an arm's place: they say what the colour says. */
const SHAPES: SymbolType[] = [symbolCircle, symbolSquare, symbolDiamond, symbolTriangle];

/** An arrow that points right from its value. */
const ARROW: SymbolType = {
  draw(context, size) {
    const unit = Math.sqrt(size) / 2;
    const corners = [-0.6, -0.3, 0.3, -0.3, 0.3, -0.9, 1.3, 0, 0.3, 0.9, 0.3, 0.3, -0.6, 0.3].map((one) => one * unit);
    context.moveTo(corners[0] ?? 0, corners[1] ?? 0);
    for (let at = 2; at < corners.length; at += 2) context.lineTo(corners[at] ?? 0, corners[at + 1] ?? 0);
    context.closePath();
  },
};

/** The colour of the arm at this place; the baseline has the first. */
export function armColour(index: number): string {
  return `var(--arm-${index % SHAPES.length})`;
}

/** The path of the arm's shape around 0,0. `size` is its area. */
export function armPath(index: number, size: number): string {
  return pathOf(SHAPES[index % SHAPES.length] ?? symbolCircle, size);
}

/** The path of an arrow around 0,0 that says "at least this". */
export function arrowPath(size: number): string {
  return pathOf(ARROW, size);
}

function pathOf(type: SymbolType, size: number): string {
  return symbol(type, size).digits(1)() ?? '';
}
