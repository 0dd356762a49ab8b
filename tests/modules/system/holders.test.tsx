import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Holders } from '#src/modules/system/parts/Rights.tsx'

vi.mock('#src/kit/data.ts', async original => ({
  ...(await original<object>()),
  useRead: () => ({ currentData: undefined, refetch: () => {} }),
}))
afterEach(cleanup)
const show = (first: string | undefined) =>
  render(<Holders first={first} modules={[]} nameOf={key => `名 ${key}`} close={() => {}} />)

test('asked who has a right on a row that is none, it says why nothing is shown', () => {
  show(undefined)
  expect(screen.getByRole('status').textContent).toContain('不是一项权限')
})
test('on a right it begins with that', () => {
  show('order.elist.view')
  expect(screen.queryByText(/不是一项权限/)).toBeNull()
  expect(screen.getByText('名 order.elist.view')).toBeTruthy()
})
