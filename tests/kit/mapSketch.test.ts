import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metres } from '#src/areas/place/geo.ts'
import {
  drawnAt,
  gridOf,
  labelsOf,
  MAP_HEIGHT,
  MAP_WIDTH,
  pointAt,
  scaleOf,
  shifted,
  type View,
} from '#src/kit/map-sketch.ts'

const shanghai: View = { middle: { lng_e6: 121_473_700, lat_e6: 31_230_400 }, span: 20_000 }

describe('a drawn map', () => {
  it('is to scale: what is drawn somewhere is read back there', () => {
    const pin = shifted(shanghai, shanghai.middle, 3000, -2000)
    const { x, y } = drawnAt(shanghai, pin)
    expect([Math.round(x), Math.round(y)]).toEqual([416, 224])
    expect(metres(pointAt(shanghai, x / MAP_WIDTH, y / MAP_HEIGHT), pin)).toBeLessThan(1)
    expect(metres(pin, shanghai.middle)).toBeCloseTo(Math.hypot(3000, 2000), -2)
  })
  it.each([1000, 5000, 20_000, 100_000])('of %i m has a few lines of round degrees', span => {
    const { meridians, parallels } = gridOf({ ...shanghai, span })
    expect(meridians.length).toBeGreaterThanOrEqual(2)
    expect(meridians.length).toBeLessThanOrEqual(9)
    expect(parallels.length).toBeGreaterThanOrEqual(1)
    for (const { at, degrees } of meridians) {
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at).toBeLessThanOrEqual(MAP_WIDTH)
      expect(degrees).toMatch(/^12[12]\.\d{2,3}°$/)
    }
  })
  it('has a scale bar of a round length', () => {
    expect(scaleOf(shanghai)).toEqual({ metres: 5000, width: 160 })
    expect(scaleOf({ ...shanghai, span: 1000 }).metres).toBe(200)
  })
  it('names its points beside them, and never one name over another', () => {
    const names = fc.array(
      fc.record({
        key: fc.uuid(),
        name: fc.constantFrom('悦荟广场', '环球中心', 'Mall 88', '南京西路步行街购物中心'),
        x: fc.integer({ min: 0, max: MAP_WIDTH }),
        y: fc.integer({ min: 0, max: MAP_HEIGHT }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(names, points => {
        const placed = [...labelsOf(points)].map(([key, at]) => ({
          ...at,
          width: [...points.find(one => one.key === key)!.name].length * 7,
        }))
        for (const [n, a] of placed.entries())
          for (const b of placed.slice(n + 1))
            expect(Math.abs(a.y - b.y) >= 16 || a.x + a.width <= b.x || b.x + b.width <= a.x).toBe(
              true,
            )
      }),
    )
    expect(labelsOf([{ key: 'a', name: '悦荟广场', x: 630, y: 100 }]).get('a')!.x).toBeLessThan(600)
  })
})
