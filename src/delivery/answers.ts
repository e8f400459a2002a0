import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { DeliveryKind } from '../model/delivery.js';

/** A part of a tool's result, as MCP has it. */
export type AnswerPart = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

const BLOCKS = 4;

/** Returns the answer of this kind with this many characters; an image has about as many in base64. The same for the same arguments. */
export function makeAnswer(kind: DeliveryKind, chars: number): AnswerPart[] {
  if (kind === 'image') return [{ type: 'image', data: makeImage(chars), mimeType: 'image/png' }];
  if (kind === 'json') return [{ type: 'text', text: makeJson(chars) }];
  if (kind === 'source') return [{ type: 'text', text: makeSource(chars, 0) }];
  const length = Math.floor(chars / BLOCKS);
  return Array.from({ length: BLOCKS }, (_, index) => ({ type: 'text', text: makeSource(length, index) }));
}

/** Numbered lines, as an explore answers them. No two lines are equal, so that a cut shows where it is. */
function makeSource(chars: number, part: number): string {
  let text = '';
  for (let line = 1; text.length < chars; line++) {
    const word = hash(`${part} ${line}`);
    text += `${line}\texport const ${word} = await read${word.slice(0, 4)}(context, { line: ${line} });\n`;
  }
  return text.slice(0, chars);
}

/** One JSON object of exactly this many characters. */
function makeJson(chars: number): string {
  const items: { id: number; name: string; tags: string[] }[] = [];
  const textOf = (padding: string) => JSON.stringify({ items, padding });
  let length = textOf('').length;
  for (let id = 1; length < chars; id++) {
    const item = { id, name: hash(`item ${id}`), tags: [hash(`a ${id}`), hash(`b ${id}`)] };
    length += JSON.stringify(item).length + (items.length === 0 ? 0 : 1);
    if (length <= chars) items.push(item);
  }
  return textOf('x'.repeat(Math.max(0, chars - textOf('').length)));
}

function hash(text: string): string {
  return `v${createHash('sha256').update(text).digest('hex').slice(0, 9)}`;
}

/** A square grey PNG of noise, in base64. */
function makeImage(chars: number): string {
  const side = Math.max(1, Math.floor(Math.sqrt(chars * 0.75)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Array.from({ length: side }, (_, row) => Buffer.concat([Buffer.from([0]), noise(row, side)]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]).toString('base64');
}

function noise(row: number, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let part = 0; part * 32 < length; part++) {
    parts.push(createHash('sha256').update(`${row} ${part}`).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
