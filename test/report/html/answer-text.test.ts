import { describe, expect, it } from 'vitest';
import type { Citation } from '../../../src/model/grade.js';
import { answerHtml } from '../../../src/report/html/answer-text.js';

const citation = (text: string, state: Citation['state'] = 'resolved'): Citation => ({ text, state, prompt: 0 });

describe('answerHtml', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[go](javascript:alert(1))',
    '[go](JaVaScRiPt&colon;alert(1))',
    '[go](data:text/html;base64,PHNjcmlwdD4=)',
    '[go](https://example.com/"onmouseover="alert(1) "title")',
    '<javascript:alert(1)> <https://example.com/?a=<b>>',
    '![picture](https://example.com/a.png)',
    '[go][1]\n\n[1]: https://example.com/x "onclick=alert(1)"',
    '```"><script>alert(1)</script>\n</code></pre><script>alert(2)</script>\n```',
    '| a | b |\n|:-:|---|\n| <svg onload=alert(1)> | x |',
    '# <iframe srcdoc="x">\n\n> <style>*{}</style>',
  ])('holds no markup of the answer, no image and no link: %s', (answer) => {
    // A mark over the whole answer and a hostile label must not open anything either.
    const marks = [{ quote: answer.split('\n')[0] ?? '', label: '"><script>alert(3)</script>' }];
    for (const html of [answerHtml(answer, [], []), answerHtml(answer, marks, [citation('example.com/x')])]) {
      const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s[^>]*)?)>/gi)];
      const allowed = /^(?:p|b|span|code|pre|mark|table|thead|tbody|tr|th|td|blockquote|ul|ol|li|em|strong|br|hr)$/;
      for (const [tag, name, attributes] of tags) {
        expect(name, tag).toMatch(allowed);
        expect(attributes?.replaceAll(/="[^"]*"/g, ''), tag).toMatch(/^(?:\s(?:class|title|style))*$/);
      }
      // Every angle bracket belongs to one of these tags.
      expect(html.replaceAll(/<\/?[a-z0-9]+(?:\s[^<>]*)?>/gi, '')).not.toMatch(/[<>]/);
    }
  });

  it('shows where a link would lead without being one', () => {
    expect(answerHtml('See [the docs](https://example.com/a?b=1&c=2).', [], [])).toBe(
      '<p>See <span class="link">the docs <span class="k">(https://example.com/a?b=1&amp;c=2)</span></span>.</p>\n',
    );
  });

  it('marks the sentence that states a fact, also where Markdown stands in it, and merges sentences that overlap', () => {
    const answer = '- First, `send` **calls** escapeBody.\n- Then it ends.';
    const first = { quote: '- First, `send` **calls** escapeBody.', label: 'calls' };
    const html = answerHtml(answer, [first, { quote: 'escapeBody.', label: 'escape' }], []);
    const mark = (text: string) => `<mark title="calls, escape">${text}</mark>`;
    expect(html).toBe(
      `<ul>\n<li>${mark('First, ')}<code>${mark('send')}</code>${mark(' ')}`.replace(mark(' '), ' ') +
        `<strong>${mark('calls')}</strong>${mark(' escapeBody.')}</li>\n<li>Then it ends.</li>\n</ul>\n`,
    );
  });

  it('marks nothing where the quote is not in the answer, or where a mark would not survive Markdown', () => {
    expect(answerHtml('All is well.', [{ quote: 'All is lost.', label: 'x' }], [])).toBe('<p>All is well.</p>\n');
    const swallowed = answerHtml('[a](b.js) is it', [{ quote: '](b.js) is', label: 'x' }], []);
    expect(swallowed.match(/[⸨⸩]/)).toBeNull();
    expect(answerHtml('⸨⸨ own brackets ⸩', [], [])).toBe('<p>(((( own brackets ))</p>\n');
  });

  it('says of each citation whether it was found, the longest first', () => {
    const html = answerHtml(
      'See `lib/a.js:12` and lib/a.js, but not b.js:9 or lib/a.json.',
      [],
      [citation('lib/a.js'), citation('lib/a.js:12', 'beyond-end'), citation('b.js:9', 'path-not-found')],
    );
    expect(html).toBe(
      '<p>See <code><span class="cite bad" title="not found: beyond-end">lib/a.js:12 ✕</span></code> and ' +
        '<span class="cite" title="found in the source">lib/a.js ✓</span>, but not ' +
        '<span class="cite bad" title="not found: path-not-found">b.js:9 ✕</span> or lib/a.json.</p>\n',
    );
  });

  it('cuts an answer that is longer than anybody reads, and says so', () => {
    const html = answerHtml('word '.repeat(100_000), [], []);
    expect(html.length).toBeLessThan(201_000);
    expect(html).toMatch(/The answer goes on; see the transcript\.<\/p>$/);
  });
});
