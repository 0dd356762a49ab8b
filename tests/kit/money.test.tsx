import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Money } from '#src/kit/show.tsx'

test('an amount that is none is a dash; one that the role may not see says so', () => {
  render(<Money cents={null} />)
  expect(screen.getByText('—').getAttribute('title')).toBeNull()
  render(<Money cents={undefined} />)
  expect(screen.getByTitle('无查看权限').textContent).toBe('—')
})
