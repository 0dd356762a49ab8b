import { expect, test } from 'vitest'
import { allJourneys, journeysFor } from './changed.ts'

const journeys = [
  { file: 'orders.e2e.ts', text: "await page.goto('/manage/order/bulks')" },
  { file: 'city.e2e.ts', text: "await page.goto('/manage/system/city')" },
]
test('a journey that changed is run, and no other', () => {
  expect(journeysFor(['tests/e2e/city.e2e.ts'], journeys)).toEqual(['city.e2e.ts'])
})
test('a module that changed asks for the journeys that name its addresses', () => {
  const asked = [
    'src/modules/order/pages/bulks.tsx',
    'commands/order.ts',
    'commands/pages/order.ts',
  ]
  for (const file of asked) expect(journeysFor([file], journeys)).toEqual(['orders.e2e.ts'])
})
test('what stands below every page asks for all', () => {
  for (const file of ['src/kit/grid.tsx', 'src/shell/keys.ts', 'tests/e2e/desk.ts'])
    expect(journeysFor([file], journeys)).toHaveLength(2)
})
test('words ask for none', () => {
  expect(journeysFor(['README.md'], journeys)).toEqual([])
})
test('every journey is known', () => {
  expect(allJourneys().length).toBeGreaterThan(20)
})
