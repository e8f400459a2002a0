import { CHART_STYLES } from './charts/styles.js';

/** Pairs are checked for contrast (WCAG AA) in the tests, in both schemes. Charts use the same names. */
const LIGHT = `
--bg:#ffffff;--panel:#f6f8fa;--fg:#1b1f24;--muted:#57606a;--line:#d5dbe1;--accent:#0b5cad;
--arm-0:#b45309;--arm-1:#0b5cad;--arm-2:#1a7f37;--arm-3:#a3276f;
--family-tool:#0e8a8a;--family-read:#7c4ddb;--family-search:#6b7a00;--family-bash:#475569;--family-other:#8c5a3c;--family-base:#848d97;
--better:#1a7f37;--worse:#b42318;--warn-bg:#fff4d6;--warn-fg:#6b4a00;--mark:#fff1a8`;

const DARK = `
--bg:#0f1419;--panel:#171d24;--fg:#e6edf3;--muted:#9aa6b2;--line:#303943;--accent:#6cb2ff;
--arm-0:#f0a35e;--arm-1:#6cb2ff;--arm-2:#6fd08c;--arm-3:#f08cc0;
--family-tool:#4fc4c4;--family-read:#b794f6;--family-search:#c3cf5a;--family-bash:#a9b8cc;--family-other:#c99a7c;--family-base:#75808b;
--better:#6fd08c;--worse:#ff8f85;--warn-bg:#3a2d0c;--warn-fg:#ffd98a;--mark:#5a4a00`;

const BASE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:70rem;margin:0 auto;padding:0 1.25rem 5rem}
h1,h2,h3,h4{line-height:1.25;margin:0;text-wrap:balance}
h1{font-size:1.9rem;letter-spacing:-.02em;margin-top:2.2rem}
h2{font-size:1.35rem;letter-spacing:-.01em;margin:3.4rem 0 .35rem;padding-top:1.1rem;border-top:2px solid var(--fg)}
#head h2{font-size:1.1rem;margin-top:2.4rem;padding-top:0;border-top:0}
h3{font-size:1.02rem;margin:1.6rem 0 .4rem}
h4{font-size:.9rem;margin:1.1rem 0 .35rem}
p{margin:.4rem 0}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}
pre{margin:.4rem 0;padding:.6rem .8rem;background:var(--panel);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.lead,.muted{color:var(--muted)}
.lead{max-width:46rem;margin:.1rem 0 1rem}
.small{font-size:.87rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--bg);padding:.4rem .8rem;z-index:9}
nav{position:sticky;top:0;z-index:5;background:var(--bg);border-bottom:1px solid var(--line)}
nav ol{max-width:70rem;margin:0 auto;padding:.55rem 1.25rem;display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;font-size:.87rem}
nav a{color:var(--muted);text-decoration:none}
nav a:hover{color:var(--fg);text-decoration:underline}
table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--muted);padding:.2rem 0 .4rem}
th,td{padding:.32rem .9rem .32rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{color:var(--muted);font-weight:500;border-bottom-color:var(--muted)}
tbody th{font-weight:500}
td.n,th.n{text-align:right}
tr.group th{padding-top:1rem;color:var(--muted);font-weight:500}
.scroll{overflow-x:auto}
dl.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.18rem 1.1rem;margin:.6rem 0;font-size:.9rem}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.cols{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 3rem;align-items:start}
.banner{margin:1.4rem 0 0;padding:.6rem .9rem;border-radius:6px;background:var(--warn-bg);color:var(--warn-fg)}
.banner+.banner{margin-top:.5rem}
details>summary{cursor:pointer}
details.more{margin:1rem 0}
details.more>summary{color:var(--accent)}
`;

const VERDICTS = `
.asked{font-size:1.05rem;margin:.5rem 0 1.2rem;color:var(--muted)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13.5rem),1fr));gap:.8rem;margin:.8rem 0}
.card{border:1px solid var(--line);border-radius:8px;padding:.85rem 1rem .8rem;background:var(--bg);display:flex;flex-direction:column}
#head .card h2{margin:0;font-size:.95rem;font-weight:500;color:var(--muted);letter-spacing:0}
.card.primary{margin:1.2rem 0 .8rem;padding:1.1rem 1.4rem;background:var(--panel);border-left:4px solid var(--tone)}
.sentence{font-size:1.3rem;line-height:1.4;text-wrap:pretty}
.sides{display:flex;gap:.3rem 2.2rem;align-items:center;margin:.3rem 0}
.wide-strip{flex:1}.narrow-strip{display:none;flex:1}
.values{font-size:1.1rem;font-weight:600;font-variant-numeric:tabular-nums}
.next{padding:.15rem 0}
.better{--tone:var(--better)}.worse{--tone:var(--worse)}.equivalent{--tone:var(--accent)}.inconclusive,.none{--tone:var(--muted)}.withheld{--tone:var(--worse)}
.word{color:var(--tone);font-weight:650;letter-spacing:.01em;font-size:.95rem}
.primary .word{font-size:inherit}
.effect{font-size:1.35rem;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;line-height:1.2;margin:.25rem 0 0}
.primary .effect{font-size:2.7rem;letter-spacing:-.03em;margin:.2rem 0}
.card p{margin:.15rem 0}
.strip{display:block;width:100%;max-width:44rem;height:auto;margin:.35rem 0 .2rem;overflow:visible}
.strip .axis{stroke:var(--line)}.strip .zero{stroke:var(--muted);stroke-dasharray:2 2}
.strip .band{fill:var(--line);opacity:.6}.strip .ci{stroke:var(--tone);stroke-width:2.5}.strip .dot{fill:var(--tone)}
.strip text{fill:var(--muted);font:11px system-ui,sans-serif}
.why{color:var(--fg)}
@media screen and (max-width:44rem){.sides{display:block}.wide-strip{display:none}.narrow-strip{display:block}.sentence{font-size:1.12rem}.card.primary{padding:.9rem 1rem}h1{font-size:1.4rem}}
`;

const RUNS = `
#find{display:flex;flex-wrap:wrap;gap:.5rem .9rem;align-items:center;position:sticky;top:2.4rem;z-index:4;background:var(--bg);padding:.6rem 0;border-bottom:1px solid var(--line);font-size:.9rem}
search{display:contents}
#find[hidden]{display:none}
#find input[type=search]{flex:1 1 14rem;min-width:10rem;padding:.35rem .6rem}
#find input[type=search],#find select{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--muted);border-radius:5px;padding:.35rem .5rem}
#find output{color:var(--muted);min-width:9rem}
::highlight(found){background:var(--mark);color:var(--fg)}
button.pair{font:inherit;font-size:.87rem;color:var(--accent);background:var(--bg);border:1px solid var(--muted);border-radius:5px;padding:.25rem .7rem;cursor:pointer}
button.pair[hidden]{display:none}
.beside{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:0 1.5rem;width:min(96vw,120rem);margin-left:calc(50% - min(48vw,60rem));scroll-margin-top:8.5rem}
.beside ol.q>li{grid-template-columns:1fr}
.beside .body{padding-left:.4rem}
.beside .cols{grid-template-columns:1fr}
@media (max-width:60rem){.beside{grid-auto-flow:row;width:auto;margin-left:0}}
.run,details.pair{border-bottom:1px solid var(--line)}
:is(.run,details.pair)>summary{padding:.5rem .2rem;display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;list-style-position:outside}
:is(.run,details.pair)>summary::before{content:"▸";color:var(--muted);width:.7rem}
:is(.run,details.pair)[open]>summary::before{content:"▾"}
:is(.run,details.pair)>summary::-webkit-details-marker{display:none}
:is(.run,details.pair)>summary h3{margin:0;font-size:.95rem;min-width:13rem}
:is(.run,details.pair)>summary .small{font-variant-numeric:tabular-nums}
.chip{font-size:.8rem;padding:.02rem .5rem;border:1px solid currentColor;border-radius:99px;white-space:nowrap}
.chip.bad{color:var(--worse)}.chip.ok{color:var(--better)}
.body{padding:.2rem 0 1.6rem 1.7rem;scroll-margin-top:8.5rem}
.seg{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;margin-top:1.4rem;padding-top:.7rem;border-top:1px dashed var(--muted)}
.seg h4{margin:0}
.ask{margin:.3rem 0 .6rem;padding-left:.8rem;border-left:3px solid var(--accent)}
ol.q,ul.c{list-style:none;margin:0;padding:0}
ol.q>li{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:0 1rem;padding:.45rem 0;border-top:1px solid var(--line);font-size:.9rem}
ol.q>li{scroll-margin-top:6.5rem}
ol.q p{margin:0 0 .2rem}
ol.q>li.sub{margin-left:1.5rem}
ol.q>li.note{color:var(--muted);display:block;font-style:italic}
ol.q>li:target{background:var(--mark)}
.k{color:var(--muted);font-size:.82rem;font-variant-numeric:tabular-nums}
.k a{color:inherit;font-weight:600;text-decoration:none}
.k a:hover{text-decoration:underline}
ul.c>li{margin:.15rem 0 .45rem}
ul.c b{font-weight:600}
ul.c code{overflow-wrap:anywhere}
ul.c i{font-style:normal;color:var(--muted);font-size:.82rem;white-space:nowrap}
ul.c q{display:block;quotes:none;color:var(--muted);font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;border-left:2px solid var(--line);padding-left:.6rem;margin-top:.1rem}
ul.c .e{border-left-color:var(--worse)}
.bad{color:var(--worse)}
.answer{min-width:0;overflow-wrap:anywhere;font-size:.9rem}
.answer table{display:block;overflow-x:auto}
.answer mark{background:var(--mark);color:inherit}
.answer .link{text-decoration:underline dotted}
.foot{margin-top:4rem;color:var(--muted);font-size:.85rem}
@media (max-width:44rem){ol.q>li{grid-template-columns:1fr}.body{padding-left:.4rem}}
@media print{
nav,#find,.skip,.pair{display:none}body{font-size:10.5pt}main{max-width:none;padding:0}h2{break-after:avoid}
.card,tr,ol.q>li{break-inside:avoid}
details.more::details-content,.chart details::details-content,#method>details::details-content{content-visibility:visible;block-size:auto;display:block}
a{color:inherit}
}
`;

/** The page's one style element. Nothing in it is loaded from elsewhere. */
export const STYLES = `${BASE}${VERDICTS}${RUNS}${CHART_STYLES}`;
