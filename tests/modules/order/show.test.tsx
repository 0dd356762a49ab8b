import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import { Buyer, Timeline } from '#src/modules/order/parts/show.tsx'

afterEach(cleanup)
const orderOf = (order: object) =>
  ({
    order: {
      member_id: null,
      member_name: '',
      remark: '',
      receiver_changed_at: null,
      visitor: null,
      ...order,
    },
    facts: { receiver: null },
    buyer: null,
  }) as unknown as OrderDetail

test.each([
  [
    'a visitor is known by the phone they ordered with',
    { visitor: { phone: '136****9427' } },
    '136****9427',
  ],
  [
    'a member by their own',
    {
      member_id: 7,
      member_name: '唐佳怡',
      phone: '135****6358',
      visitor: { phone: '136****9427' },
    },
    '135****6358',
  ],
  ['and who told none, by none', {}, '—'],
])('%s', (_, order, phone) => {
  render(<Buyer of={orderOf(order)} />)
  expect(screen.getByText('手机号').nextElementSibling?.textContent).toBe(phone)
})

test('what happened is told in the words of the order’s kind', () => {
  const log = [
    {
      id: 2,
      at: 1_795_000_100,
      event: 'pay',
      from: 'pending_payment',
      to: 'waiting_group',
      by: '支付渠道',
      memo: '',
    },
    {
      id: 1,
      at: 1_795_000_000,
      event: 'create',
      from: null,
      to: 'pending_payment',
      by: '顾客',
      memo: '',
    },
  ]
  const shown = (kind: string) => {
    const { container } = render(
      <Timeline of={{ ...orderOf({ kind }), log } as unknown as OrderDetail} />,
    )
    return [...container.querySelectorAll('li')].map(line => line.lastElementChild!.textContent)
  }
  expect(shown('raise')).toEqual(['支付 → 众筹中 支付渠道', '下单 → 待付款 顾客'])
  expect(shown('roll_buy')).toEqual(['支付 → 待成团 支付渠道', '下单 → 待付款 顾客'])
})
