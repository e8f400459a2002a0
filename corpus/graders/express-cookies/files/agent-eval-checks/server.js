'use strict';
const http = require('node:http');
const express = require('..');

const plain = express();
plain.get('/set', (req, res) => res.cookie('a', '1').end());
plain.get('/set-options', (req, res) => res.cookie('a', '1', { httpOnly: true, path: '/x' }).end());
plain.get('/max-age', (req, res) => res.cookie('a', '1', { maxAge: 60_000 }).end());
plain.get('/clear', (req, res) => res.clearCookie('a').end());
plain.get('/clear-path', (req, res) => res.clearCookie('a', { path: '/x' }).end());
plain.get('/object', (req, res) => res.cookie('a', { b: 1 }).end());

const app = express();
const options = { httpOnly: true, sameSite: 'lax', path: '/shop', maxAge: 60_000 };
app.set('cookie options', options);
app.get('/set', (req, res) => res.cookie('a', '1').end());
app.get('/override', (req, res) => res.cookie('a', '1', { httpOnly: false, path: '/own', maxAge: 5_000 }).end());
app.get('/clear', (req, res) => res.clearCookie('a').end());
app.get('/clear-override', (req, res) => res.clearCookie('a', { path: '/own' }).end());
app.get('/options', (req, res) => res.json(options));

const server = http
  .createServer((req, res) => (req.headers['x-app'] === 'plain' ? plain : app)(req, res))
  .listen(0, '127.0.0.1', () => console.log(server.address().port));
