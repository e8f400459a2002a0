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
  const { headers } = await server.get(path);
  return headers['set-cookie']?.[0] ?? '';
}

test('res.cookie takes its defaults from the setting', async () => {
  const text = await cookie('/set');
  assert.match(text, /^a=1;/);
  assert.match(text, /; HttpOnly/);
  assert.match(text, /; SameSite=Lax/);
  assert.match(text, /; Path=\/shop(;|$)/);
  assert.match(text, /; Max-Age=60(;|$)/);
});

test('options of the call win', async () => {
  const text = await cookie('/override');
  assert.doesNotMatch(text, /HttpOnly/);
  assert.match(text, /; SameSite=Lax/);
  assert.match(text, /; Path=\/own(;|$)/);
  assert.match(text, /; Max-Age=5(;|$)/);
});

test('res.clearCookie takes path and flags from the setting and still makes the cookie expire', async () => {
  const text = await cookie('/clear');
  assert.match(text, /; Path=\/shop(;|$)/);
  assert.match(text, /; HttpOnly/);
  assert.match(text, /; Expires=Thu, 01 Jan 1970 00:00:00 GMT/);
  assert.doesNotMatch(text, /Max-Age=[1-9]/);
  assert.match(await cookie('/clear-override'), /; Path=\/own(;|$)/);
});

test('the object of the setting is not changed', async () => {
  await cookie('/set');
  await cookie('/clear');
  const { body } = await server.get('/options');
  assert.deepEqual(JSON.parse(body.toString()), { httpOnly: true, sameSite: 'lax', path: '/shop', maxAge: 60000 });
});
