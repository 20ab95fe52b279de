export type { CacheManifest } from '../generated/documents.ts';
export { validateCacheManifest } from '../generated/validators.js';
