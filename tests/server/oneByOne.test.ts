import { expect, it } from 'vitest'
import { ruled } from '#src/server/call/refuse.ts'
import { DatabaseFault } from '#src/server/db/faults.ts'
import { oneByOne } from '#src/server/db/oneByOne.ts'

const rows = [1, 2, 3].map(id => ({ id }))
const failing =
  (error: Error) =>
  async ({ id }: { id: number }) => {
    if (id === 2) throw error
  }

it.each([
  ['a fault of ours', new Error('what we did not think of')],
  ['a refusal that nobody expected', ruled('state', ['状态不符', 'Not in this state'])],
  [
    'a transaction that took too long',
    new DatabaseFault('MALLET_DEADLINE', 'given up after 5000 ms'),
  ],
])('%s is told, and holds up no other', async (_, error) => {
  const told: unknown[] = []
  expect(await oneByOne(rows, failing(error), (why, id) => told.push([why, id]))).toBe(2)
  expect(told).toEqual([[error, 2]])
  await expect(oneByOne(rows, failing(error))).rejects.toBe(error)
})
it('while the database is away nobody’s turn comes', async () => {
  const away = new DatabaseFault('MALLET_UNAVAILABLE', 'it is being started')
  const told: unknown[] = []
  await expect(oneByOne(rows, failing(away), why => told.push(why))).rejects.toBe(away)
  expect(told).toEqual([])
})
it('what answers false was not done', async () => {
  expect(await oneByOne(rows, async ({ id }) => id > 1)).toBe(2)
})
