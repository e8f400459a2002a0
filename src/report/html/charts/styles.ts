/** The rules of the charts' markup, for the page's one style element. */
export const CHART_STYLES = `
.charts{max-width:900px}
.chart{margin:0 0 2rem;break-inside:avoid}
.charts .note{font-size:.9em}
.chart h3{margin:0 0 .25rem}
.chart>p{margin:.15rem 0;font-size:.9em}
.charts .note,.charts .nothing,.chart .nothing{color:var(--muted)}
.chart-svg svg{display:block;max-width:100%;height:auto;font-family:system-ui,sans-serif;overflow:visible}
.chart-svg .t{fill:var(--fg);font-size:12px}
.chart-svg a{cursor:pointer}
.chart-svg a:focus-visible path,.chart-svg a:hover path{stroke:var(--fg);stroke-width:3}
.chart details{font-size:.85em}
.charts .scroll{overflow-x:auto}
.charts table{border-collapse:collapse}
.charts caption{text-align:left;color:var(--muted)}
.charts td,.charts th{padding:.1rem .6rem .1rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;border-bottom:1px solid var(--line)}
.charts .n td,.charts .n th,.charts td.n,.charts th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:.5rem 1rem}
.panel{max-width:430px}
.panel h4{margin:.3rem 0 0;font-weight:600}
.panel p{margin:0;font-size:.85em;color:var(--muted)}
.charts details.more>summary{margin:-1rem 0 1.5rem;color:var(--muted)}
.charts .n td.l,.charts .n th.l{text-align:left;white-space:normal}

.for-narrow{display:none}
@media screen and (max-width:44rem){.for-wide{display:none}.for-narrow{display:block}.wide{overflow-x:auto}.wide svg{max-width:none}}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.2rem;margin:0 0 1rem;padding:0;font-size:.9em}
.legend li{display:flex;align-items:center;gap:.35rem}
`;
