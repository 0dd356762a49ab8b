import { describe, expect, it } from 'vitest'
import { listTyped, placesFault } from '#src/areas/partner/places.ts'

describe('an address list', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '10.1.0.0/16', '2001:db8::1', '2001:db8::/48'])(
    'takes %s',
    place => expect(placesFault([place])).toBeUndefined(),
  )
  it.each([
    '0.0.0.0/0',
    '10.0.0.0/8',
    '203.0.113.7/33',
    '203.0.113.256',
    'example.com',
    '::/0',
    '1.2.3.4/24/8',
  ])('refuses %s', place => expect(placesFault([place])).toBeDefined())
  it('is typed with lines, commas and full-width signs, each once', () => {
    expect(listTyped(' 1.2.3.4，1.2.3.5\n1.2.3.4；\n')).toEqual(['1.2.3.4', '1.2.3.5'])
  })
})
