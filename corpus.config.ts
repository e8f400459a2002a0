import { defineConfig } from 'agent-eval';

/**
 * The shipped corpus: express, small enough to try things on, and the seven repositories of codegraph's README, each
 * pinned to one commit. Every README task is one question about a flow and two follow-ups that stay in that flow, so that
 * what the first answer left in the context window is charged to the prompts after it. What right answers hold stands in
 * corpus/facts, read from the pinned sources (docs/answers.md).
 */
export default defineConfig({
  engine: {
    build: ['npm ci --ignore-scripts --no-audit --no-fund', 'npm run build'],
    entry: 'dist/bin/codegraph.js',
    sources: ['src'],
  },

  repos: {
    express: { npm: 'express@4.21.2' },
    vscode: { git: 'https://github.com/microsoft/vscode', commit: 'dd90709aa734900be1778f74f4fa2635f865e1b2' },
    excalidraw: {
      git: 'https://github.com/excalidraw/excalidraw',
      commit: '18095a08394f568ad7eeef0bb1d19d6283814500',
    },
    django: { git: 'https://github.com/django/django', commit: '1edd80acdd3b4bf230c813adcf1fe6164ec6fb37' },
    tokio: { git: 'https://github.com/tokio-rs/tokio', commit: '648353e9ec2c1db05d3a2dc4e22ae8fdcabdbcaf' },
    okhttp: {
      git: 'https://github.com/square/okhttp',
      commit: 'd957284d6a9f1d2f8288d8753c22930e3dc54464',
      // A submodule with test vectors only.
      exclude: ['okhttp-hpacktests/src/test/resources/hpack-test-case'],
    },
    gin: { git: 'https://github.com/gin-gonic/gin', commit: '7d336c7ceca33112ddd17e65769b56b57a3ec5dd' },
    alamofire: { git: 'https://github.com/Alamofire/Alamofire', commit: '0fddeba5ba87b6f7d1af425ae1e99a1fe5abde9a' },
  },

  tasks: {
    'express-charset': {
      repo: 'express',
      kind: 'change',
      prompts: [
        'Add a charset option to res.send and wire it through: res.send(body, { charset: "latin1" }) has to send a string in ' +
          'that encoding and to name it in the Content-Type, with the Content-Length and the ETag of the bytes that are ' +
          'sent. Calls without the option must go on as before.',
      ],
      expects: {
        files: 'corpus/graders/express-charset/files',
        setup: ['npm install --ignore-scripts --omit=dev --no-audit --no-fund --no-package-lock'],
        commands: [
          { run: 'node --test agent-eval-checks/charset.test.js' },
          { run: 'node --test agent-eval-checks/send.test.js', regression: true },
        ],
        protect: ['agent-eval-checks/**', 'package.json'],
        reference: 'corpus/graders/express-charset/reference.patch',
        deadlineMs: 60_000,
      },
    },
    'express-cookies': {
      repo: 'express',
      kind: 'change',
      prompts: [
        'Add an application setting "cookie options": an object whose values res.cookie and res.clearCookie take as ' +
          'defaults. Options of a call win over it, clearCookie must go on making the cookie expire, the object itself ' +
          'must not be changed, and without the setting nothing may change.',
      ],
      expects: {
        files: 'corpus/graders/express-cookies/files',
        setup: ['npm install --ignore-scripts --omit=dev --no-audit --no-fund --no-package-lock'],
        commands: [
          { run: 'node --test agent-eval-checks/cookie-options.test.js' },
          { run: 'node --test agent-eval-checks/cookies.test.js', regression: true },
        ],
        protect: ['agent-eval-checks/**', 'package.json'],
        reference: 'corpus/graders/express-cookies/reference.patch',
        deadlineMs: 60_000,
      },
    },
    'express-send': {
      repo: 'express',
      prompts: [
        'How does res.send settle the Content-Type and the ETag of a response?',
        'Which settings of the application change that, and where are they read?',
      ],
      expects: 'corpus/facts/express-send.json',
    },
    vscode: {
      repo: 'vscode',
      prompts: [
        'How do the extension host and the main process talk to each other?',
        'When an extension calls an API that needs the main side, how is that call turned into a message and answered?',
        'What would I touch to add one more method to that exchange, on both sides?',
      ],
      expects: 'corpus/facts/vscode.json',
    },
    excalidraw: {
      repo: 'excalidraw',
      prompts: [
        'How does Excalidraw render canvas elements, and how does an updated element get back on the screen?',
        'Are elements and interactive parts such as the selection drawn on separate canvases, and what decides that something is drawn again?',
        'How are elements outside the viewport kept from being drawn, and where would I change that rule?',
      ],
      expects: 'corpus/facts/excalidraw.json',
    },
    django: {
      repo: 'django',
      prompts: [
        'How does a QuerySet become SQL that is executed against the database?',
        'At which point in that path is the query really sent, and what holds it back until then?',
        'Where would I add a hook that sees every compiled statement just before it runs?',
      ],
      expects: 'corpus/facts/django.json',
    },
    tokio: {
      repo: 'tokio',
      prompts: [
        'How does tokio schedule tasks and run them on its worker threads?',
        'What happens in that scheduler when a worker has nothing left in its own queue?',
        'When does a freshly woken task run ahead of the local queue, and what would I change to let more of them do so?',
      ],
      expects: 'corpus/facts/tokio.json',
    },
    okhttp: {
      repo: 'okhttp',
      prompts: [
        'How does a request travel through the interceptors of OkHttp until a response comes back?',
        'Where in that chain are redirects and retries decided?',
        'Where would I put an interceptor that must see every single network attempt, and why there?',
      ],
      expects: 'corpus/facts/okhttp.json',
    },
    gin: {
      repo: 'gin',
      prompts: [
        'How does gin route a request through its chain of middleware?',
        'Where in that chain is a request handled that matches no route?',
        'What would I change so that a middleware of one route runs before the global ones?',
      ],
      expects: 'corpus/facts/gin.json',
    },
    alamofire: {
      repo: 'alamofire',
      prompts: [
        'How does Alamofire build a request, send it and validate the response?',
        'In that path, where do an adapter and a retrier get their turn?',
        'What would I change to validate the response before its body has been read completely?',
      ],
      expects: 'corpus/facts/alamofire.json',
    },
  },

  campaigns: {
    /** `bench-readme`: with and without the engine, as published. */
    readme: {
      tasks: ['vscode', 'excalidraw', 'django', 'tokio', 'okhttp', 'gin', 'alamofire'],
      runs: 4,
      margins: { tokensProcessed: 10, costUsd: 10, toolCalls: 15, retrievalResidualTokens: 10 },
    },
    /** One build, with and without its adaptive exploring, against no engine at all. */
    adaptive: {
      tasks: ['gin', 'okhttp', 'django'],
      arms: [
        { label: 'adaptive' },
        { label: 'fixed', environment: { CODEGRAPH_ADAPTIVE_EXPLORE: '0' } },
        { label: 'without', build: null },
      ],
      runs: 4,
    },
  },

  /** A claim on cost needs answers that are shown to lose less than 10 points of their facts. */
  verdict: { answers: { metric: 'factRecall', margin: 10 } },

  defaults: {
    // One task takes four runs an arm for a verdict.
    runs: 4,
    model: 'sonnet',
    effort: 'high',
    maxBudgetUsd: 4,
    tasks: ['express-charset', 'express-send'],
  },
});
