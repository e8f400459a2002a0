// The rooms of src/ and which rooms each may enter. A folder is entered through its index.
const MAY_ENTER = {
  util: [],
  model: ['util'],
  shell: ['model', 'util'],
  transcript: ['model', 'util'],
  metrics: ['shell', 'transcript', 'model', 'util'],
  catalogue: ['metrics', 'model', 'util'],
  statistics: ['catalogue', 'model', 'util'],
  redaction: ['model', 'util'],
  aggregate: ['statistics', 'catalogue', 'metrics', 'model', 'util'],
  report: ['aggregate', 'redaction', 'statistics', 'catalogue', 'metrics', 'model', 'util'],
  config: ['catalogue', 'model', 'util'],
  plan: ['model', 'util'],
  process: ['model', 'util'],
  store: ['model', 'util'],
  engine: ['process', 'model', 'util'],
  workspace: ['process', 'model', 'util'],
  host: ['process', 'transcript', 'model', 'util'],
  fence: ['process', 'model', 'util'],
  campaign: ['fence', 'engine', 'workspace', 'host', 'process', 'store', 'plan', 'model', 'util'],
  rehearsal: ['process', 'model', 'util'],
  grading: ['fence', 'workspace', 'process', 'store', 'transcript', 'model', 'util'],
  analysis: [
    ...['report', 'aggregate', 'statistics', 'catalogue', 'metrics', 'transcript', 'shell', 'redaction', 'grading'],
    ...['campaign', 'store', 'host', 'engine', 'plan', 'config', 'model', 'util'],
  ],
  experiment: [
    ...['analysis', 'grading', 'campaign', 'host', 'engine', 'fence', 'workspace', 'process', 'rehearsal'],
    ...['report', 'metrics', 'transcript', 'shell', 'store', 'plan', 'config', 'model', 'util'],
  ],
  replay: [
    ...['grading', 'report', 'metrics', 'transcript', 'engine', 'workspace', 'process', 'store'],
    ...['plan', 'config', 'model', 'util'],
  ],
  delivery: ['host', 'rehearsal', 'process', 'model', 'util'],
  nightly: ['analysis', 'report', 'statistics', 'store', 'plan', 'model', 'util'],
  exchange: ['analysis', 'report', 'redaction', 'campaign', 'store', 'plan', 'config', 'model', 'util'],
  selftest: ['host', 'report', 'aggregate', 'metrics', 'transcript', 'shell', 'store', 'engine', 'model', 'util'],
};

const rooms = Object.keys(MAY_ENTER);

module.exports = {
  forbidden: [
    ...rooms.map((room) => ({
      name: `${room}-imports`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: {
        path: `^src/(?!(${[room, ...MAY_ENTER[room]].join('|')})/)`,
      },
    })),
    {
      name: 'rooms-through-their-index',
      severity: 'error',
      from: { path: '^(src|hooks)/([^/]+)/' },
      to: {
        path: '^src/(?!model/|util/)[^/]+/.+',
        pathNot: [
          ...['^src/$2/', '^src/[^/]+/index\\.ts$', '^src/shell/quick\\.ts$', '^src/engine/registry\\.ts$'],
          // Reading a log must not load what runs a session, and the hook knows the tools of its host alone.
          ...['^src/host/logs\\.ts$', '^src/host/claude-code/tools\\.ts$'],
          // Reading one log must not wait for everything that makes a campaign's report.
          '^src/analysis/measure-run\\.ts$',
        ],
      },
    },
    {
      name: 'hooks-import-shell-alone',
      severity: 'error',
      from: { path: '^hooks/' },
      to: { path: '^src/(?!(shell|model|util)/)', pathNot: '^src/host/claude-code/tools\\.ts$' },
    },
    {
      name: 'only-process-starts-processes',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/process/' },
      to: { path: '((^|/)node_modules/(execa|zx)/|^(node:)?child_process$)' },
    },
    {
      name: 'hosts-by-their-registry',
      severity: 'error',
      from: { path: '^(src|hooks)/', pathNot: '^src/host/(registry|logs)\\.ts$|^src/host/[^/]+/|^hooks/' },
      to: { path: '^src/host/[^/]+/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // dist is made by the build, which the imports need not wait for.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '/dist/' } },
  ],
  options: {
    doNotFollow: { path: '(node_modules|^dist/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
