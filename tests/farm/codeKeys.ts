import { join } from 'node:path'

/** The keys that codes of the tests' demo data are under; no installation has them. */
export const CODE_KEYS = join(import.meta.dirname, 'code-keys.json')
