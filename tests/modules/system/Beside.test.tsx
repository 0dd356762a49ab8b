import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Beside } from '#src/modules/system/parts/Beside.tsx'

afterEach(cleanup)
test('what stands beside a log takes the focus by Tab and has a name, so that keys scroll it though nothing in it takes the focus', () => {
  render(
    <Beside label="春日套餐" busy>
      <p>只有字</p>
    </Beside>,
  )
  const region = screen.getByRole('region', { name: '春日套餐' })
  expect([region.tabIndex, region.getAttribute('aria-busy')]).toEqual([0, 'true'])
})
