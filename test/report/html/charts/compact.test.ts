import { expect, test } from 'vitest';
import { compactSvg, escapeXml } from '../../../../src/report/html/charts/compact.js';

test('what draws nothing goes, what draws stays, coordinates to a tenth', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9"><g fill="none"><g class="mark-group role-frame" role="x"><path class="background" d="M0,0h1v1Z"/>' +
    '<g transform="translate(0.123456,7)"><line transform="translate(0,0)" x2="0" y2="5.55555" stroke="red" stroke-width="1" opacity="1"/></g>' +
    '<g class="mark-rule"></g></g></g></svg>';
  expect(compactSvg(svg)).toBe('<g transform="translate(0.1,7)"><line y2="5.6" stroke="red"/></g>');
});

test('steps are told by one coordinate; several in one direction by the last', () => {
  const svg = '<svg><path d="M0,10L5,10L5,20L9,20L12,20L12,30L1,1Z" fill="red"/></svg>';
  expect(compactSvg(svg)).toBe('<path d="M0,10H5V20H12V30L1,1Z" fill="red"/>');
});

test('a mark’s description becomes its title, and a link keeps it', () => {
  const svg =
    '<svg><a xlink:href="#run-a"><path aria-label="a &lt;b&gt;" role="graphics-symbol" d="M0,0Z" fill="red"/></a></svg>';
  expect(compactSvg(svg)).toBe('<a href="#run-a"><path d="M0,0Z" fill="red"><title>a &lt;b&gt;</title></path></a>');
});

test('a path without a fill is not black', () => {
  expect(compactSvg('<svg><path d="M0,0L1,1" stroke="red"/></svg>')).toContain('fill="none"');
});

test('text in markup', () => {
  expect(escapeXml('<a href="x">\'&')).toBe('&#60;a href=&#34;x&#34;&#62;&#39;&#38;');
});
