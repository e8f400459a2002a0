'use strict';
const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { start } = require('./ask');

let server;
before(async () => {
  server = await start('server.js');
});
after(() => server?.stop());

const LATIN1 = /;\s*charset="?(?:latin-?1|iso-8859-1)"?$/i;

test('a string is sent in the encoding of the option and the Content-Type names it', async () => {
  const { status, headers, body } = await server.get('/latin1');
  assert.equal(status, 200);
  assert.deepEqual([...body], [0x63, 0x61, 0x66, 0xe9]);
  assert.match(headers['content-type'], /^text\/html/);
  assert.match(headers['content-type'], LATIN1);
  assert.equal(headers['content-length'], '4');
});

test('a type that was set before stays, with the charset of the option', async () => {
  const { headers, body } = await server.get('/latin1-typed');
  assert.match(headers['content-type'], /^text\/plain/);
  assert.match(headers['content-type'], LATIN1);
  assert.equal(body.length, 4);
});

test('Content-Length and ETag are those of the bytes that are sent', async () => {
  const text = await server.get('/latin1-long');
  const bytes = await server.get('/latin1-long-bytes');
  assert.equal(text.body.length, 1200);
  assert.ok(text.body.equals(bytes.body));
  assert.equal(text.headers['content-length'], '1200');
  assert.ok(text.headers.etag);
  assert.equal(text.headers.etag, bytes.headers.etag);
});

test('another encoding of Node works too', async () => {
  const { headers, body } = await server.get('/utf16le');
  assert.deepEqual([...body], [0x68, 0x00, 0xe9, 0x00]);
  assert.equal(headers['content-length'], '4');
  assert.match(headers['content-type'], /charset="?utf-?16-?le"?$/i);
});

test('the status that was set before stays', async () => {
  const { status, body } = await server.get('/latin1-status');
  assert.equal(status, 202);
  assert.deepEqual([...body], [0xe9]);
});
