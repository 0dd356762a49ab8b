import { expect, test } from 'vitest'
import { faultOf } from './titles.mjs'

test('a commit’s title is short, and its body stands apart', () => {
  expect(faultOf('Keep what was asked\n\nA reason.\n')).toBeUndefined()
  expect(faultOf('Keep what was asked\n')).toBeUndefined()
  expect(faultOf('\n')).toBe('has no title')
  expect(faultOf(`${'a'.repeat(73)}\n`)).toBe('has a title of 73 characters, not 72')
  expect(faultOf('a'.repeat(72))).toBeUndefined()
  expect(faultOf('Keep what was asked.\n')).toBe('has a title that ends with a full stop')
  expect(faultOf('Keep what was\nasked\n')).toBe('has no empty line below its title')
})
