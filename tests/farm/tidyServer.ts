import { afterAll } from 'vitest'
import { endAll } from './ends.ts'

// Of every file, the last thing.
afterAll(endAll)
