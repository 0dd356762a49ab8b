import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Call } from '#src/contract/call.ts'
import { implementations } from '#src/implementations.ts'

it('every call of the mini-program stands in its document, and no other', () => {
  const calls: Call[] = implementations
    .flat()
    .flatMap(module => Object.values(module.calls as Record<string, Call>))
  const asked = calls.map(call => call.path).filter(path => /^[^/]+\/app\//.test(path))
  const written = readFileSync('docs/app-api.md', 'utf8')
  const told = [...written.matchAll(/^### (?:POST|GET) \/(\S+)$/gm)].map(([, path]) => path)
  expect(told.toSorted()).toEqual(asked.toSorted())
})
