import type { ComponentChildren } from 'preact';
import type { RegimeBox } from '../repo-sections.js';
import { Scroll } from './scroll.js';

/** Label and value, one below the other; in columns where there is room. */
export function Facts({ rows, columns = false }: { rows: RegimeBox; columns?: boolean }) {
  if (!columns) return <FactList rows={rows} />;
  const half = Math.ceil(rows.length / 2);
  return (
    <div class="cols">
      <FactList rows={rows.slice(0, half)} />
      <FactList rows={rows.slice(half)} />
    </div>
  );
}

function FactList({ rows }: { rows: RegimeBox }) {
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

interface TableProps {
  /** Of the columns; each is a cell of its own. */
  head: string[];
  caption?: ComponentChildren;
  id?: string;
  /** The rows. */
  children: ComponentChildren;
}

/** A table of words; where it is too wide it scrolls in itself. */
export function Table({ head, caption, id, children }: TableProps) {
  return (
    <Scroll>
      <table id={id}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}
