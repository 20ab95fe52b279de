import { digestText } from '../../fingerprint/blake3.ts';
import type { Fingerprint } from '../../values/brands.ts';
import { canonicalJson } from '../../values/canonical.ts';
import type { Adapter } from './adapter.ts';

const KNOWN = new WeakMap<Adapter, Fingerprint>();

/** Stands for an adapter among the executables of a stage: it changes when its results may. */
export function adapterDigest(adapter: Adapter): Fingerprint {
  const known = KNOWN.get(adapter);
  if (known !== undefined) return known;
  const { descriptor, revision } = adapter;
  const digest = digestText(canonicalJson({ descriptor, revision }));
  KNOWN.set(adapter, digest);
  return digest;
}
