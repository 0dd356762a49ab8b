import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Thumb } from '#src/kit/image.tsx'

afterEach(cleanup)
const drawn = (of: string | null | undefined) => {
  const { container } = render(
    <>
      <Thumb of={of} />锅
    </>,
  )
  return container
}
test('the picture of a row comes when it comes into sight, and leaves the name to be read', () => {
  const row = drawn('demo/pot.webp')
  const image = row.querySelector('img')!
  expect([image.getAttribute('src'), image.loading, image.alt]).toEqual([
    '/uploads/demo/pot.webp',
    'lazy',
    '',
  ])
  expect(row.querySelector('.m-thumb')!.getAttribute('aria-hidden')).toBe('true')
})
test.each([[undefined], [null], ['']])('a row without a picture (%j) asks for none', of => {
  const row = drawn(of)
  expect([row.querySelector('img'), row.querySelector('.m-thumb svg') !== null]).toEqual([
    null,
    true,
  ])
})
test('one that can’t be shown gives way to the same sign', () => {
  const row = drawn('demo/gone.webp')
  fireEvent.error(row.querySelector('img')!)
  expect([row.querySelector('img'), row.querySelector('.m-thumb svg') !== null]).toEqual([
    null,
    true,
  ])
})
