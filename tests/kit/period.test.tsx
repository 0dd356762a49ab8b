import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { dayStart } from '#src/domain/time.ts'
import { Period } from '#src/kit/period.tsx'
import type { ListState } from '#src/kit/uselist.ts'

afterEach(cleanup)
const DAY = 86_400

test.each(['2026-11-20', '2026/11/20', '20261120', '2026年11月20日'])(
  'an end alone (%s) means as long as may be before it',
  async typed => {
    const filter = vi.fn()
    render(
      <Period
        of={{ input: {}, filter } as unknown as ListState<unknown>}
        from="from"
        to="to"
        most={186}
        usual={['下单时间', 'When placed']}
      />,
    )
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: /时间范围/ }))
    })
    fireEvent.input(await screen.findByLabelText('结束日期'), { target: { value: typed } })
    fireEvent.keyDown(screen.getByLabelText('结束日期'), { key: 'Enter' })
    const end = dayStart(Date.UTC(2026, 10, 20) / 1000) + DAY - 1
    expect(filter).toHaveBeenCalledWith({ from: end + 1 - 186 * DAY, to: end })
  },
)
