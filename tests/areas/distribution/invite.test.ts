import { expect, test } from 'vitest'
import { phonesOf, plusFault } from '#src/areas/distribution/invite.ts'

test('pasted phones are each there once, and what is repeated or wrong is told', () => {
  expect(phonesOf('13800138000\n138 0013 8000，13900139000;12345\n\n')).toEqual({
    phones: ['13800138000', '13900139000'],
    repeated: ['13800138000'],
    wrong: ['12345'],
  })
})
test('what comes on top stays within the level', () => {
  expect(plusFault(50, 1)).toBeUndefined()
  expect(plusFault(51, 1)).toBeDefined()
  expect(plusFault(300, 5)).toBeUndefined()
})
