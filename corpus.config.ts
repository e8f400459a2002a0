import { defineConfig } from 'agent-eval';

const RECALL_FIRST =
  'Do not look at anything again. What was the answer to the first question of this session? Name the functions and files in it.';
const RECALL_SECOND =
  'Do not look at anything again. What was the answer to the second question of this session? Name the functions and files in it.';

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
    /**
     * Long sessions: the first prompts of a task, more of the same flow, two prompts that ask for the first answers again, and one that
     * asks for something new.
     */
    'gin-long': {
      repo: 'gin',
      prompts: [
        'How does gin route a request through its chain of middleware?',
        'Where in that chain is a request handled that matches no route?',
        'What would I change so that a middleware of one route runs before the global ones?',
        'Which data structures does that path allocate for one request, and where are they taken back?',
        'How are the parameters of a path parsed while the route is looked up, and where do they end?',
        'Follow one request with a parameter and two middlewares from ServeHTTP to its handler, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'How does gin choose how the body of a request is bound to a struct?',
      ],
      expects: {
        extends: 'corpus/facts/gin.json',
        recalls: [
          {
            prompt: 6,
            facts: [
              'gin-method-tree-lookup',
              'gin-handlers-put-on-context',
              'gin-chain-merged-at-registration',
              'gin-group-handlers-first',
              'gin-next-index-loop',
            ],
          },
          {
            prompt: 7,
            facts: [
              'gin-all-no-route-branch',
              'gin-no-route-chain-combined',
              'gin-only-engine-middleware-on-miss',
              'gin-serve-error-default-body',
            ],
          },
        ],
        facts: [
          {
            id: 'gin-control-binding-default',
            prompt: 8,
            vital: true,
            claim: 'Bind and ShouldBind take the binding that binding.Default picks by method and content type',
            at: ['binding/binding.go:Default', 'context.go:ShouldBind'],
            accept: [['binding.default']],
          },
        ],
      },
    },
    'okhttp-long': {
      repo: 'okhttp',
      prompts: [
        'How does a request travel through the interceptors of OkHttp until a response comes back?',
        'Where in that chain are redirects and retries decided?',
        'Where would I put an interceptor that must see every single network attempt, and why there?',
        'How is a connection found or opened for a request, and when is one used again?',
        'What does the exchange codec of HTTP/2 do with the headers of a request and of a response?',
        'Follow one POST request that is redirected once from newCall to its last response, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'How does the disk cache of OkHttp decide which entries to remove when it is full?',
      ],
      expects: {
        extends: 'corpus/facts/okhttp.json',
        recalls: [
          {
            prompt: 6,
            facts: [
              'okhttp-real-call-builds-list',
              'okhttp-interceptor-list-order',
              'okhttp-proceed-copies-chain',
              'okhttp-connect-adds-exchange',
              'okhttp-call-server-ends-chain',
            ],
          },
          {
            prompt: 7,
            facts: [
              'okhttp-retry-follow-up-loop',
              'okhttp-follow-up-request-by-code',
              'okhttp-redirect-conditions',
              'okhttp-recover-conditions',
              'okhttp-max-follow-ups',
            ],
          },
        ],
        facts: [
          {
            id: 'okhttp-control-trim',
            prompt: 8,
            vital: true,
            claim: 'DiskLruCache.trimToSize calls removeOldestEntry until the size fits',
            at: ['okhttp/src/commonJvmAndroid/kotlin/okhttp3/internal/cache/DiskLruCache.kt:trimToSize'],
            accept: [['trimtosize'], ['removeoldestentry']],
          },
        ],
      },
    },
    'tokio-long': {
      repo: 'tokio',
      prompts: [
        'How does tokio schedule tasks and run them on its worker threads?',
        'What happens in that scheduler when a worker has nothing left in its own queue?',
        'When does a freshly woken task run ahead of the local queue, and what would I change to let more of them do so?',
        'How does a worker park and how is it woken again, down to the driver?',
        'How does a blocking task get its thread, and how is that number limited?',
        'Follow one spawned task that yields twice from spawn to its end, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'What limits the number of messages in a bounded mpsc channel of tokio, and where is that set?',
      ],
      expects: {
        extends: 'corpus/facts/tokio.json',
        recalls: [
          { prompt: 6, facts: ['t0-loop', 't0-schedule-task', 't0-lifo', 't0-run-task'] },
          { prompt: 7, facts: ['t1-inject-batch', 't1-steal-random', 't1-search-limit', 't1-park'] },
        ],
        facts: [
          {
            id: 'tokio-control-mpsc',
            prompt: 8,
            vital: true,
            claim: 'channel makes a semaphore with as many permits as the buffer has places',
            at: ['tokio/src/sync/mpsc/bounded.rs:channel'],
            accept: [['semaphore']],
          },
        ],
      },
    },
    'excalidraw-long': {
      repo: 'excalidraw',
      prompts: [
        'How does Excalidraw render canvas elements, and how does an updated element get back on the screen?',
        'Are elements and interactive parts such as the selection drawn on separate canvases, and what decides that something is drawn again?',
        'How are elements outside the viewport kept from being drawn, and where would I change that rule?',
        'How is an arrow that is bound to an element kept in place when that element moves?',
        'What does the scene do with elements that were deleted, and when are they gone?',
        'Follow one drag of a rectangle from the pointer event to the pixels, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'How does redo work in Excalidraw, and where are the states kept?',
      ],
      expects: {
        extends: 'corpus/facts/excalidraw.json',
        recalls: [
          {
            prompt: 6,
            facts: ['e0-did-update', 'e0-render-scene', 'e0-mutate', 'e0-scene-callback', 'e0-element-cache'],
          },
          { prompt: 7, facts: ['e1-no-split', 'e1-same-pass', 'e1-every-update'] },
        ],
        facts: [
          {
            id: 'excalidraw-control-redo',
            prompt: 8,
            vital: true,
            claim: 'The class History keeps undone entries in redoStack and takes them from there',
            at: ['src/history.ts:redoStack'],
            accept: [['redostack']],
          },
        ],
      },
    },
    'alamofire-long': {
      repo: 'alamofire',
      prompts: [
        'How does Alamofire build a request, send it and validate the response?',
        'In that path, where do an adapter and a retrier get their turn?',
        'What would I change to validate the response before its body has been read completely?',
        'How is an upload of several parts encoded, and when is it written to a file?',
        'How is the progress of a download reported, and on which queue?',
        'Follow one JSON request with a retrier from SessionManager.request to the completion handler, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'How does Alamofire decide whether it trusts the certificate of a server?',
      ],
      expects: {
        extends: 'corpus/facts/alamofire.json',
        recalls: [
          {
            prompt: 6,
            facts: [
              'alamofire-url-request-then-encoding',
              'alamofire-requestable-creates-task',
              'alamofire-resume-sends',
              'alamofire-validate-stores-closure',
              'alamofire-validations-run-at-completion',
            ],
          },
          {
            prompt: 7,
            facts: [
              'alamofire-adapter-at-task-creation',
              'alamofire-retrier-in-did-complete',
              'alamofire-retrier-after-validations',
              'alamofire-retry-new-task-from-original',
              'alamofire-adapter-runs-again-on-retry',
            ],
          },
        ],
        facts: [
          {
            id: 'alamofire-control-trust',
            prompt: 8,
            vital: true,
            claim: 'The session delegate asks the server trust policy of the host to evaluate the trust',
            at: ['Source/SessionDelegate.swift:serverTrustPolicy'],
            accept: [['servertrustpolicy']],
          },
        ],
      },
    },
    'express-long': {
      repo: 'express',
      prompts: [
        'How does res.send settle the Content-Type and the ETag of a response?',
        'Which settings of the application change that, and where are they read?',
        'How does res.json differ from res.send on the way to the socket?',
        'How does res.sendFile answer a request for a part of a file, and which module does it?',
        'How does the router find the handlers of a request, and in which order are they called?',
        'Follow one res.send of an object from the handler to the end of the response, function by function.',
        RECALL_FIRST,
        RECALL_SECOND,
        'How does express find and call the engine of a view?',
      ],
      expects: {
        extends: 'corpus/facts/express-send.json',
        recalls: [
          {
            prompt: 6,
            facts: [
              'express-own-content-type-kept',
              'express-string-html-buffer-bin',
              'express-object-delegated-to-json',
              'express-charset-rewritten-utf8',
              'express-etag-conditions',
            ],
          },
          {
            prompt: 7,
            facts: [
              'express-etag-setting-compiled',
              'express-etag-fn-read-in-send',
              'express-compile-etag-values',
              'express-json-settings-read-in-json',
              'express-no-setting-for-content-type',
            ],
          },
        ],
        facts: [
          {
            id: 'express-control-view',
            prompt: 8,
            vital: true,
            claim:
              'A View takes its engine from opts.engines by the extension of the file, and render calls it with the path',
            at: ['lib/view.js:91', 'lib/view.js:135'],
            accept: [['engines', 'extension'], ['opts.engines'], ['this.engine']],
          },
        ],
      },
    },
  },

  campaigns: {
    /** Do the later prompts lose what the first ones found, and does the engine change that? (docs/campaigns.md, "Context pressure") */
    pressure: {
      tasks: ['gin-long', 'okhttp-long', 'tokio-long', 'excalidraw-long', 'alamofire-long', 'express-long'],
      contextWindows: ['none', '100k', '60k'],
      runs: 4,
      verdict: {
        primary: 'retention',
        secondary: ['tokensPaid', 'costUsd', 'compactions'],
        exploratory: ['earlyRecall', 'factRecall', 'retrievalResidualTokens'],
        margins: { retention: 10 },
      },
    },
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
