import { describe, expect, test } from 'vitest';
import { compileSelector, type Selector } from '../../src/fingerprint/selector.ts';

function selector(glob: string): Selector {
  const compiled = compileSelector(glob);
  if (!compiled.ok) throw new Error(`${glob}: ${compiled.error}`);
  return compiled.value;
}

describe('a selector matches', () => {
  test.each([
    // a literal
    ['rtl/a.v', 'rtl/a.v', true],
    ['rtl/a.v', 'rtl/A.v', false],
    ['rtl/a.v', 'rtl/a.vh', false],
    ['rtl/a.v', 'x/rtl/a.v', false],
    // * within a segment
    ['*.v', 'a.v', true],
    ['*.v', 'rtl/a.v', false],
    ['rtl/*', 'rtl/a.v', true],
    ['rtl/*', 'rtl/sub/a.v', false],
    ['rtl/*', 'rtl', false],
    ['a*b', 'ab', true],
    ['a*b', 'a*b', true],
    ['*.V', 'a.v', false],
    ['*', 'line\nfeed', true],
    ['*.v', '\n.v', true],
    // ** across
    ['**', 'a', true],
    ['**', 'a/b/c', true],
    ['a/**', 'a/b', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a/**', 'ab/c', false],
    ['**/a.v', 'a.v', true],
    ['**/a.v', 'x/y/a.v', true],
    ['**/a.v', 'xa.v', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'ab', false],
    ['a/**/b', 'a/b/c', false],
    ['**/a/**/b/**', 'x/a/b/c', true],
    ['**/a/**/b/**', 'a/a/b/b', true],
    ['**/a/**/b/**', 'a/b', false],
    ['**/**/a', 'a', true],
    ['a/**/**', 'a/b', true],
    ['a/**/**', 'a', false],
    // ? and classes
    ['?.v', 'a.v', true],
    ['?.v', '.v', false],
    ['?.v', 'ab.v', false],
    ['?.v', '\u{1f600}.v', true],
    ['a?b', 'a/b', false],
    ['[ab].v', 'b.v', true],
    ['[ab].v', 'c.v', false],
    ['[a-c].v', 'b.v', true],
    ['[!a-c].v', 'b.v', false],
    ['[!a-c].v', 'd.v', true],
    ['[!a-c].v', '!.v', true],
    ['[^a].v', 'a.v', false],
    ['[^a].v', 'b.v', true],
    ['a[!b]c', 'a/c', false],
    ['[ab].v', '[ab].v', false],
    ['[*].v', '*.v', true],
    ['[*].v', 'a.v', false],
    ['[[]0[]].v', '[0].v', true],
    ['[]a].v', '].v', true],
    ['[a-].v', '-.v', true],
    ['[\u{1f600}-\u{1f602}]', '\u{1f601}', true],
    // braces
    ['*.{v,sv}', 'a.sv', true],
    ['*.{v,sv}', 'a.vh', false],
    ['{a,b}{1,2}', 'b1', true],
    ['a{,b}', 'a', true],
    ['{*,x}.v', 'a.v', true],
    ['{*,a}*', 'a/b', false],
    ['{*,a}*', 'ab', true],
    [`${'{*,a}'.repeat(5)}`, 'xay', true],
    ['{1..3,5}', '2', false],
    ['{1..3,5}', '1..3', true],
    ['[{]a,b}'.replace('}', '[}]'), '{a,b}', true],
    // leading dots
    ['*', '.a', false],
    ['**', '.a', false],
    ['**', 'a/.b', false],
    ['**', '.a/b', false],
    ['**/*', '.a/b', false],
    ['**/b', '.a/b', false],
    ['?a', '.a', false],
    ['[.]a', '.a', false],
    ['[!x]a', '.a', false],
    ['{*,x}', '.a', false],
    ['{.a,b}', '.a', true],
    ['{.,}a', '.a', true],
    ['.*', '.a', true],
    ['.a', '.a', true],
    ['a*', 'a.b', true],
    ['.*/**', '.a/b', true],
    ['**/.a', 'x/.a', true],
    ['**/.a', '.x/.a', false],
    ['.a/**/.b', '.a/.b', true],
    // what is special elsewhere
    ['@(a|b)', '@(a|b)', true],
    ['@(a|b)', 'a', false],
    ['*(a)', 'x(a)', true],
    ['*(a)', 'aaa', false],
    ['+(a)*', '+(a)', true],
    ['+(a)*', 'aa', false],
    ['a!(b)*', 'a!(b)c', true],
    ['"a"*', '"a"b', true],
    ['"a"*', 'ab', false],
    ['$x^*', '$x^y', true],
    ['a|b*', 'a|b', true],
    ['a,b*', 'a,bc', true],
    ['a b#~*', 'a b#~c', true],
    ['~/*', '~/a', true],
    ['ä*', 'äb', true],
  ])('%j %j: %j', (glob, path, expected) => {
    expect(selector(glob).matches(path)).toBe(expected);
  });
});

describe('a selector reaches', () => {
  test.each([
    ['rtl/a.v', '', true],
    ['rtl/a.v', 'rtl', true],
    ['rtl/a.v', 'rtl/a.v', false],
    ['rtl/a.v', 'rt', false],
    ['a/b/c.v', 'a', true],
    ['a/b/c.v', 'a/c', false],
    ['rtl/*.v', 'rtl', true],
    ['rtl/*.v', 'rtl/x', false],
    ['rtl/*.v', 'rtl/x.v', false],
    ['rtl/*.v', 'sim', false],
    ['rtl/**', 'rtl', true],
    ['rtl/**', 'rtl/a/b', true],
    ['rtl/**', 'rtl/.a', false],
    ['rtl/**', 'rtlx', false],
    ['rtl/**', '', true],
    ['**/*.v', 'any/where', true],
    ['**/*.v', '.any', false],
    ['**/.x/*', 'a/.x', true],
    ['**/.x/*', 'a/.x/b', false],
    ['*/sub/*.v', 'a', true],
    ['*/sub/*.v', 'a/sub', true],
    ['*/sub/*.v', 'a/other', false],
    ['{a,b}/x', 'b', true],
    ['{a,b}/x', 'c', false],
    ['**', 'node_modules', true],
    ['*', 'a', false],
  ])('%j into %j: %j', (glob, folder, expected) => {
    expect(selector(glob).reaches(folder)).toBe(expected);
  });
});

describe('a selector covers', () => {
  test.each([
    ['a/**', 'a', true],
    ['a/**', 'a/b', true],
    ['a/**', '', false],
    ['a/**', 'ab', false],
    ['a/**', 'a/.b', false],
    ['a/**/*', 'a', true],
    ['a/*', 'a', false],
    ['a/**/*.v', 'a', false],
    ['a/**/?', 'a', false],
    ['**', '', true],
    ['**', 'x/y', true],
    ['**/a/**', 'x/a', true],
    ['**/a/**', 'x', false],
    ['{a,b}/**', 'b', true],
    ['a', 'a', false],
    ['*', '', false],
  ])('%j all of %j: %j', (glob, folder, expected) => {
    expect(selector(glob).covers(folder)).toBe(expected);
  });
});

describe('a glob is refused', () => {
  test.each([
    ['', 'it is empty'],
    ['/etc/passwd', 'absolute'],
    ['!a', '`!`'],
    ['a\\*', 'backslash'],
    ['a\0', 'NUL'],
    ['a/', '`a/**`'],
    ['a//b', 'two slashes'],
    ['..', 'outside'],
    ['a/../b', 'outside'],
    ['./a', '`.` segment'],
    ['a**', '`**`'],
    ['**a/b', '`**`'],
    ['***', '`**`'],
    ['{**,a}', '`**`'],
    ['{**,a}b', '`**`'],
    ['a{**,b}', '`**`'],
    ['{a/b,c}', 'braces hold a slash'],
    ['{a/b', 'braces hold a slash'],
    ['{a,b', 'not closed'],
    ['a}', 'no `{`'],
    ['{a}', 'no comma'],
    ['{1..3}', 'no comma'],
    ['{a,{b,c}}', 'within braces'],
    ['{,a}/b', 'empty'],
    ['[ab', 'not closed'],
    ['[a/b]', 'not closed before the next slash'],
    ['[]', 'not closed'],
    ['[!]', 'empty'],
    ['[b-a]', 'backwards'],
    ['[[:alpha:]]', 'named class'],
    ['*a*b*c*d*', 'more than 4'],
    ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 'more than 64'],
    [`*${'/*'.repeat(40)}`, 'more than 28'],
    ['a'.repeat(5000), 'longer than 4096'],
  ])('%j', (glob, why) => {
    const compiled = compileSelector(glob);
    expect(compiled).toEqual({ ok: false, error: expect.stringContaining(why) });
  });
});

test('a glob made to be slow is not', () => {
  const deep = `${'a/'.repeat(2000)}b`;
  const folders = selector(`${'**/a/'.repeat(13)}c`);
  const stars = selector('*a*a*a*b');
  const start = performance.now();
  expect(folders.matches(deep)).toBe(false);
  expect(stars.matches('a'.repeat(100))).toBe(false);
  expect(performance.now() - start).toBeLessThan(1000);
});
