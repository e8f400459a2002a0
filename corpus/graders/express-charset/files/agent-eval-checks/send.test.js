'use strict';
const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { start } = require('./ask');

let server;
before(async () => {
  server = await start('server.js');
});
after(() => server?.stop());

test('a string without the option is sent as UTF-8', async () => {
  const { headers, body } = await server.get('/text');
  assert.equal(body.toString('utf8'), 'café');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['content-length'], '5');
});

test('its ETag is that of its bytes, and a fresh request gets 304', async () => {
  const text = await server.get('/text-long');
  const bytes = await server.get('/text-long-bytes');
  assert.equal(text.headers.etag, bytes.headers.etag);
  const again = await server.get('/text-long', { 'If-None-Match': text.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
});

test('the charset of a Content-Type that was set gives way to UTF-8', async () => {
  const { headers, body } = await server.get('/typed');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(body.toString('utf8'), 'café');
});

test('bytes, objects, null and an empty status are sent as before', async () => {
  const bytes = await server.get('/bytes');
  assert.equal(bytes.headers['content-type'], 'application/octet-stream');
  assert.deepEqual([...bytes.body], [1, 2, 3]);
  const json = await server.get('/json');
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(json.body.toString('utf8')), { a: 'é' });
  assert.equal((await server.get('/null')).body.length, 0);
  const none = await server.get('/no-content');
  assert.equal(none.status, 204);
  assert.equal(none.headers['content-type'], undefined);
});

test('a status beside the body is taken in both orders', async () => {
  const first = await server.get('/body-status');
  assert.equal(first.status, 201);
  assert.equal(first.body.toString(), 'made');
  const second = await server.get('/status-body');
  assert.equal(second.status, 404);
  assert.equal(second.body.toString(), 'gone');
});
