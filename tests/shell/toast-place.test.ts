import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf, type Box } from '#src/shell/toast-place.ts'

const room = { width: 1440, height: 900 }
const size = { width: 320, height: 36 }
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
test.each<[where: string, kept: Box[], pressed: Box[], place: object]>([
  ['70 px from the top, where nothing stands', [], [], { left: 1104, top: 70 }],
  [
    '70 px from the bottom, where the top is taken',
    [box(1000, 0, 440, 120)],
    [],
    { left: 1104, top: 794 },
  ],
  [
    'above what must be seen there',
    [box(1000, 0, 440, 120), box(1000, 800, 440, 100)],
    [],
    { left: 1104, top: 754 },
  ],
  ['in the middle where the right is taken', [box(1000, 0, 440, 900)], [], { left: 560, top: 70 }],
  ['beside what is pressed', [], [box(1000, 0, 440, 900)], { left: 560, top: 70 }],
  [
    'on what is pressed rather than on what must be seen',
    [box(0, 0, 1100, 900)],
    [box(1100, 0, 340, 900)],
    { left: 1104, top: 70 },
  ],
])('messages stand %s', (_, kept, pressed, place) => {
  expect(placeOf(size, room, { kept, pressed })).toEqual(place)
})
test('wherever things stand, messages are within the window, and clear of them if any place is', () => {
  const boxes = fc.array(
    fc
      .tuple(fc.nat(1440), fc.nat(900), fc.nat(300), fc.nat(200))
      .map(([left, top, width, height]) => box(left, top, width, height)),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(boxes, boxes, (kept, pressed) => {
      const { left, top } = placeOf(size, room, { kept, pressed })
      expect(left >= 0 && left + size.width <= room.width).toBe(true)
      expect(top >= 0 && top + size.height <= room.height).toBe(true)
      const covers = ({ left: x, top: y }: { left: number; top: number }) =>
        kept.some(
          one =>
            one.left < x + size.width &&
            one.right > x &&
            one.top < y + size.height &&
            one.bottom > y,
        )
      // The usual place is taken where it is clear of all.
      const usual = { left: 1104, top: 70 }
      if (!covers(usual) && pressed.length === 0) expect({ left, top }).toEqual(usual)
    }),
  )
})
