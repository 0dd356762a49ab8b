import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { fromQuery } from '#src/contract/query.ts'
import { callsIn } from '../help/contracts.ts'

const contracts = import.meta.glob<object>(
  ['../../src/modules/*/contract.ts', '../../src/modules/*/contract/*.ts'],
  { eager: true },
)
const shapeOf = (call: Call): Record<string, z.ZodType> =>
  call.input instanceof z.ZodObject ? call.input.shape : {}
/** The lists that are filtered by a place: its field may be left out. */
const filteredBy = (field: string) =>
  [
    ...new Map(
      Object.values(contracts)
        .flatMap(callsIn)
        .map(call => [call.path, call]),
    ).values(),
  ]
    .filter(call => /\/(lst|list|counts|overview)$/.test(call.path) && call.kind === 'read')
    .filter(call => shapeOf(call)[field] instanceof z.ZodOptional)
const meant = (call: Call, field: string, value: string): unknown => {
  const read = fromQuery(call.input, { [field]: value })
  return field in read ? shapeOf(call)[field]!.parse(read[field]) : 'all'
}

test.each(['city_id', 'mid'])('an empty %s is no filter, in every list that has one', field => {
  const calls = filteredBy(field)
  expect(calls.length).toBeGreaterThan(5)
  for (const call of calls) expect([call.path, meant(call, field, '')]).toEqual([call.path, 'all'])
})
test('the mall 0 is outside any mall, in every list that is filtered by mall', () => {
  for (const call of filteredBy('mid'))
    expect([call.path, meant(call, 'mid', '0')]).toEqual([call.path, 0])
})
test('the cities are asked for in one place alone', () => {
  const sources = import.meta.glob<string>('../../src/{kit,shell,modules}/**/*.{ts,tsx}', {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const asking = Object.entries(sources).filter(([, text]) => text.includes('places.cities'))
  expect(asking.map(([file]) => file)).toEqual(['../../src/kit/places.tsx'])
})
