import { afterAll, beforeAll, expect, test } from 'vitest'
import { atEnd, endAll } from './ends.ts'

const ended: string[] = []
let heard = false
beforeAll(() => {
  afterAll(() => {
    heard = true
  })
  atEnd(() => ended.push('first'))
  atEnd(() => Promise.reject(new Error('stuck')))
  atEnd(async () => ended.push('last'))
})
test('what began in a hook ends too, the latest first, whatever goes wrong beside it', async () => {
  await expect(endAll()).rejects.toThrow('stuck')
  expect(ended).toEqual(['last', 'first'])
  await endAll()
  expect(ended).toHaveLength(2)
  expect(heard).toBe(false)
})
