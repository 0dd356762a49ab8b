import { afterAll } from 'vitest'
import { endAll } from './ends.ts'

// It is named first, so that it runs last.
afterAll(endAll)
