'use strict';
// The code under test runs in a process of its own, so that it cannot end the tests or answer in their place.
const { spawn } = require('node:child_process');
const http = require('node:http');
const { join } = require('node:path');

/** Starts a server of this folder on a free port; resolves to `get` and `stop`. */
exports.start = (script) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(__dirname, script)], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it listened`)));
    child.stdout.once('data', (data) => {
      const port = Number(String(data).trim());
      resolve({ get: (path, headers) => get(port, path, headers), stop: () => child.kill('SIGKILL') });
    });
  });

function get(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false, timeout: 5000 }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on('timeout', () => request.destroy(new Error(`${path} was not answered`)));
    request.on('error', reject);
  });
}
