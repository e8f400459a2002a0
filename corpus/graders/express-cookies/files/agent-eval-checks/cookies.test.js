'use strict';
const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { start } = require('./ask');

let server;
before(async () => {
  server = await start('server.js');
});
after(() => server?.stop());

async function cookie(path) {
  const { headers } = await server.get(path, { 'x-app': 'plain' });
  return headers['set-cookie']?.[0];
}

test('cookies without the setting are as before', async () => {
  assert.equal(await cookie('/set'), 'a=1; Path=/');
  assert.equal(await cookie('/set-options'), 'a=1; Path=/x; HttpOnly');
  assert.match(await cookie('/max-age'), /^a=1; Max-Age=60; Path=\/; Expires=/);
  assert.equal(await cookie('/object'), 'a=j%3A%7B%22b%22%3A1%7D; Path=/');
});

test('cleared cookies without the setting are as before', async () => {
  assert.equal(await cookie('/clear'), 'a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  assert.equal(await cookie('/clear-path'), 'a=; Path=/x; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
});
