import type { RegimeBox } from '../repo-sections.js';

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
