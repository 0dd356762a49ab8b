import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Drawer } from '#src/kit/drawer.tsx'

test('a drawer is a dialog, called by its title', () => {
  const { rerender } = render(<Drawer isOpen title="优惠券" />)
  expect(screen.getByRole('dialog', { name: '优惠券' }).getAttribute('aria-modal')).toBe('true')
  rerender(<Drawer isOpen title="门店券" />)
  expect(screen.getByRole('dialog', { name: '门店券' })).toBeTruthy()
})
