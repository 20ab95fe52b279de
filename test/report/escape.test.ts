import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownCode, markdownText } from '../../src/report/escape.ts';
import { printable } from '../../src/values/text.ts';

const S = '<span></span>';

describe('text that only looks dangerous stays as it is written', () => {
  test.each([
    'rtl/fifo_ctrl.v:12: signal tx_busy is never read (x2), 50% of "it"',
    "assertion 'structure-clean' held on 'clean'",
    'a - b + c = d; e: f! {g} h^2 1.5 v2.0',
    'C# and a#b and 3 @ 4',
    'émile → 漢字 🎉',
  ])('%s', (text) => {
    expect(markdownText(text)).toBe(text);
  });
});

describe('what could be read as markup is escaped', () => {
  test.each([
    ['_x_', '\\_x\\_'],
    ['a_b', 'a_b'],
    ['*x* **y**', '\\*x\\* \\*\\*y\\*\\*'],
    ['[a](b)', '\\[a\\](b)'],
    ['![a](b)', '!\\[a\\](b)'],
    ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
    ['a | b', 'a &#124; b'],
    ['`x`', '\\`x\\`'],
    ['~~x~~', '\\~\\~x\\~\\~'],
    ['a\\|b', 'a\\\\&#124;b'],
    ['$x$', '<span>$</span>x<span>$</span>'],
    ['# x', '\\# x'],
    ['x ##', 'x \\#\\#'],
    ['- x', '\\- x'],
    ['+ x', '\\+ x'],
    ['1. x', '1\\. x'],
    ['12) x', '12\\) x'],
    ['> x', '&gt; x'],
    ['    x', 'x'],
    ['http://a.b', `http:${S}//a.b`],
    ['www.a.b', `www${S}.a.b`],
    ['@name and a@b.co', `@${S}name and a@${S}b.co`],
    ['PR #123 and GH-7', `PR #${S}123 and GH-${S}7`],
    [':x: :100: 1:2:3', `:${S}x: :${S}100: 1:2:3`],
    ['a\n## b', 'a\\\\n## b'],
    ['a\r\u2028b', 'a\\\\r\\\\u{2028}b'],
  ])('%s', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});

/** Letters that mean something in Markdown, alone and in the company that they mean it in. */
const texts = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'_*[]()<>&|`~#-+=!.:;\\$@"\'{}^/ 1ax') },
      fc.constantFrom(
        'http://',
        'www.',
        '@user',
        '#12',
        'GH-3',
        'a@b.co',
        ':x:',
        '<script>',
        '-->',
      ),
      fc.constantFrom(
        '&amp;',
        '1. ',
        '```',
        '[^1]',
        '[ ] ',
        '\n',
        '\u2028',
        'é',
        'mailto:',
        '| --- |',
      ),
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join(''));

const TOKEN = /\\([!-/:-@[-`{-~])|&(amp|lt|gt|#124);|<span>(\$)<\/span>|<span>(<\/span>)/g;
const LOOKED_FOR =
  /@[a-z0-9]|#\d|GH-\d|:\/\/|www\.|:(?:100|1234|[+-]1|[0-9_+-]*[a-z][a-z0-9_+-]*):/i;
const CUT = '\uE000';

describe('whatever the text', () => {
  test('it comes back whole when the escapes are undone, and nothing else in it is markup', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const markdown = markdownText(text);
        const values: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#124': '|' };
        const shown = markdown.replace(TOKEN, (_, escaped, entity, dollar) =>
          String(escaped ?? values[String(entity)] ?? dollar ?? CUT),
        );
        expect(shown.replaceAll(CUT, '')).toBe(printable(text, 500).trim());
        // What GitHub looks for in the text of the page is cut in two.
        for (const piece of shown.split(CUT)) expect(piece).not.toMatch(LOOKED_FOR);
        const plain = markdown.replace(TOKEN, 'x');
        expect(plain).not.toMatch(/[*[\]<>&|~`\\$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/);
        expect(markdown).not.toMatch(/^(?:[-+#]|\d+[.)]|\s)|(?<!\\)#$/);
      }),
      { numRuns: 2000 },
    );
  });

  test('code is one code span that nothing in it can end', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const wanted = printable(text, 500).trim();
        const code = markdownCode(text);
        if (wanted === '') {
          expect(code).toBe('');
          return;
        }
        if (wanted.includes('|')) {
          expect(code).toBe(`<code>${markdownText(text)}</code>`);
          return;
        }
        const [, fence = '', inner = ''] = /^(`+)(.*?)\1$/s.exec(code) ?? [];
        expect([...inner.matchAll(/`+/g)].map(([run]) => run)).not.toContain(fence);
        // One blank at both ends belongs to the fences.
        expect(/^ .* $/s.test(inner) ? inner.slice(1, -1) : inner).toBe(wanted);
      }),
      { numRuns: 2000 },
    );
  });

  test('no line is left in it, and long text is cut and says so', () => {
    expect(markdownText('x'.repeat(600), 100)).toBe(`${'x'.repeat(100)}… (600 characters)`);
    expect(markdownCode('a\nb')).toBe('`a\\nb`');
  });
});
