import { readdirSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { read } from '#src/contract/call.ts'
import { contracts } from '#src/contracts.ts'
import { implement } from '#src/server/call/implement.ts'
import { everyCallServed } from '#src/server/call/served.ts'
import { defineExport } from '#src/server/exports/exports.ts'

const callAt = (path: string) =>
  read(path, ['读取', 'Read'], {
    input: z.object({}),
    output: z.object({}),
    touches: [],
    scope: 'all',
    permit: 'signed-in',
  })
const lost = callAt('t/lost')
const kept = callAt('t/kept')
const served = [implement({ kept }, { kept: async () => ({}) })]

describe('a contract', () => {
  it('whose call has no handler is refused by name, however deep it stands', () => {
    expect(everyCallServed(served, { './a.ts': { kept, row: z.object({}), of: () => lost } })).toBe(
      served,
    )
    expect(() => everyCallServed(served, { './a.ts': { kept, lost } })).toThrow(
      'GET t/lost (./a.ts.lost)',
    )
    expect(() => everyCallServed(served, { './a.ts': { page: { rows: { lost } } } })).toThrow(
      'GET t/lost (./a.ts.page.rows.lost)',
    )
  })
  it('is found by its path alone', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter(file => /(^|\/)contract(\.ts$|\/)/.test(file) && file.endsWith('.ts'))
      .map(file => `./${file}`)
    expect(files.length).toBeGreaterThan(40)
    expect(Object.keys(contracts).sort()).toEqual(files.sort())
  })
  it('that nobody serves keeps the server from starting', async () => {
    vi.resetModules()
    vi.doMock('#src/contracts.ts', () => ({
      contracts: { ...contracts, './modules/planted/contract/lost.ts': { lost } },
    }))
    await expect(import('#src/implementations.ts')).rejects.toThrow(
      'Calls that nobody serves: GET t/lost (./modules/planted/contract/lost.ts.lost)',
    )
    vi.doUnmock('#src/contracts.ts')
  }, 120_000)
})

it('an export that no call starts is refused', () => {
  defineExport('t.lost', {
    title: ['导出', 'Export'],
    permit: 't.lost.export',
    columns: [],
    rows: async () => ({ rows: [], next: undefined }),
  })
  expect(() => everyCallServed(served, {})).toThrow('Exports that no call starts: t.lost')
})
