import { cleanup, render } from '@testing-library/react'
import { Activity } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Seen } from '#src/kit/seen.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})
const page = (mode: 'visible' | 'hidden', words = '详情') => (
  <Activity mode={mode}>
    <section>
      <Seen>
        <p>{words}</p>
      </Seen>
    </section>
  </Activity>
)

test('what is kept behind another page is not drawn, only as high as it was; in front again it is drawn as its data are now', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(740)
  const { container, rerender } = render(page('visible'))
  const box = container.querySelector<HTMLElement>('section > div')!
  expect([box.textContent, box.style.height]).toEqual(['详情', ''])
  rerender(page('hidden'))
  expect([box.textContent, box.style.height]).toEqual(['', '740px'])
  rerender(page('hidden', '新的详情'))
  rerender(page('visible', '新的详情'))
  expect([box.textContent, box.style.height]).toEqual(['新的详情', ''])
})
