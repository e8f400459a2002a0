#!/usr/bin/env node
try {
  await import('../dist/main.js');
} catch (error) {
  process.stderr.write(`agent-eval could not be loaded: ${error.message}\n`);
  process.exitCode = 4;
}
