import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import { Buyer } from '#src/modules/order/parts/show.tsx'

afterEach(cleanup)
const orderOf = (order: object) => ({ order: { member_id: null, member_name: '', remark: '', receiver_changed_at: null, visitor: null, ...order }, facts: { receiver: null }, buyer: null }) as unknown as OrderDetail

test.each([
  ['a visitor is known by the phone they ordered with', { visitor: { phone: '136****9427' } }, '136****9427'],
  ['a member by their own', { member_id: 7, member_name: '唐佳怡', phone: '135****6358', visitor: { phone: '136****9427' } }, '135****6358'],
  ['and who told none, by none', {}, '—'],
])('%s', (_, order, phone) => {
  render(<Buyer of={orderOf(order)} />)
  expect(screen.getByText('手机号').nextElementSibling?.textContent).toBe(phone)
})
