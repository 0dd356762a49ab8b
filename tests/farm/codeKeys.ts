import { fileURLToPath } from 'node:url'

/** The keys that codes of the tests' demo data are under; no installation has them. */
export const CODE_KEYS = fileURLToPath(new URL('code-keys.json', import.meta.url))
