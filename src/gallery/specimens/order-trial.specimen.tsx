import { TrialLines } from '#src/kit/order-trial.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const trial = {
  order_id: 1,
  order_no: 'GB20260712000001',
  lines: [
    { title: '双人套餐', shop_name: '川味小馆', qty: 2, cost_cents: 25_800, off_cents: 2_000 },
    { title: longNames[0]!, shop_name: '川味小馆', qty: 1, cost_cents: 1_000, off_cents: 0 },
  ],
  freight_cents: 0,
  discount_cents: 2_000,
  platform_cents: 1_500,
  merchant_cents: 500,
  pay_cents: 24_800,
  refused: '',
}
export const specimen: Specimen = {
  part: 'order-trial',
  title: ['真实订单试算', 'On a real order'],
  states: [
    { name: ['有减免', 'Takes something off'], draw: () => <TrialLines of={trial} /> },
    {
      name: ['不适用', 'Does not fit'],
      draw: () => (
        <TrialLines
          of={{ ...trial, discount_cents: 0, pay_cents: 26_800, refused: '未满 300 元' }}
        />
      ),
    },
    {
      name: ['没有订单', 'No order'],
      draw: () => (
        <TrialLines of={{ ...trial, order_id: 0, lines: [], refused: '没有可试算的订单' }} />
      ),
    },
  ],
}
