import type { ComponentChildren, VNode } from 'preact';
import { Scroll } from '../scroll.js';

interface FigureProps {
  title: string;
  /** The same figures in words: a table. */
  figures: ComponentChildren;
  /** Beside the table's title. */
  note?: string | undefined;
  /** The chart, and what is to be known to read it. */
  children?: ComponentChildren;
}

/** A chart with its title, what is to be known to read it, and its figures as a table behind one click. */
export function ChartFigure({ title, figures, note, children }: FigureProps): VNode {
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      {children}
      <details>
        <summary>the figures{note === undefined ? '' : ` (${note})`}</summary>
        {figures}
      </details>
    </figure>
  );
}

interface TableProps {
  caption: string;
  head: string[];
  rows: ComponentChildren[][];
  /** Columns of numbers, from 0. */
  numbers?: number[];
}

/** A plain table; long ones scroll within it. */
export function FigureTable({ caption, head, rows, numbers = [] }: TableProps): VNode {
  // The class that most cells would have is the table's.
  const mostly = numbers.length > head.length / 2;
  const sided = (index: number, cell: unknown) => {
    if (numbers.includes(index) === mostly || cell === '') return {};
    return { class: mostly ? 'l' : 'n' };
  };
  return (
    <Scroll>
      <table {...(mostly ? { class: 'n' } : {})}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={cell} scope="col" {...sided(index, cell)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, index) => (
                <td key={index} {...sided(index, cell)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
