/** The repository's root folder, as a URL that ends in `/`. */
export const root = new URL('../../', import.meta.url);
