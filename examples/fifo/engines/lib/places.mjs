/** Yosys' `src` attributes (`rtl/a.v:3.4-5.6|rtl/b.v:…`) as places that a person can open. */

/** The first place of an attribute as `path:line`, or undefined. */
export function placeOf(attributes) {
  return /^[^:|]+:\d+/.exec(attributes?.src ?? '')?.[0];
}
