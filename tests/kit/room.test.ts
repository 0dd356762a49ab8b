import { expect, test } from 'vitest'
import { fitting } from '#src/kit/room.ts'

/** Five tabs of 100 pixels take 516 with what lies between; the button of the others takes 72. */
const five = [100, 100, 100, 100, 100]
test.each([
  ['all of them where there is room', 0, 516, [0, 1, 2, 3, 4]],
  ['as many as leave room for the button', 0, 515, [0, 1, 2, 3]],
  ['the first ones and the chosen one', 4, 400, [0, 1, 4]],
  ['the chosen one where nothing else has room', 2, 150, [2]],
  ['the first ones where none is chosen', -1, 300, [0, 1]],
])('a row of tabs shows %s', (_, chosen, room, shown) => {
  expect([...fitting(five, chosen, room)].sort()).toEqual(shown)
})
