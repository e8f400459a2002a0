'use strict';
const express = require('..');

const app = express();
const LONG = 'é'.repeat(1200);
app.get('/latin1', (req, res) => res.send('café', { charset: 'latin1' }));
app.get('/latin1-typed', (req, res) => res.type('text/plain').send('café', { charset: 'latin1' }));
app.get('/latin1-long', (req, res) => res.send(LONG, { charset: 'latin1' }));
app.get('/latin1-long-bytes', (req, res) => res.send(Buffer.from(LONG, 'latin1')));
app.get('/utf16le', (req, res) => res.send('hé', { charset: 'utf16le' }));
app.get('/latin1-status', (req, res) => res.status(202).send('é', { charset: 'latin1' }));

app.get('/text', (req, res) => res.send('café'));
app.get('/text-long', (req, res) => res.send(LONG));
app.get('/text-long-bytes', (req, res) => res.send(Buffer.from(LONG, 'utf8')));
app.get('/typed', (req, res) => res.set('Content-Type', 'text/plain; charset=iso-8859-1').send('café'));
app.get('/bytes', (req, res) => res.send(Buffer.from([1, 2, 3])));
app.get('/json', (req, res) => res.send({ a: 'é' }));
app.get('/body-status', (req, res) => res.send('made', 201));
app.get('/status-body', (req, res) => res.send(404, 'gone'));
app.get('/null', (req, res) => res.send(null));
app.get('/no-content', (req, res) => res.status(204).send('x'));

process.env.NO_DEPRECATION = 'express';
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
