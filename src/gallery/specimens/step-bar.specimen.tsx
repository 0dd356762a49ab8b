import { StepBar } from '#src/kit/step-bar.tsx'
import type { Specimen } from '../specimen.ts'

const paid = [
  { key: 'create', title: '下单', mark: 'done', at: 1_795_600_000 },
  { key: 'pay', title: '支付', mark: 'done', at: 1_795_600_060 },
] as const

export const specimen: Specimen = {
  part: 'step-bar',
  title: ['进度条', 'Steps'],
  states: [
    {
      name: ['进行中', 'On its way'],
      draw: () => (
        <StepBar
          label="订单进度"
          steps={[
            ...paid,
            { key: 'use', title: '核销', mark: 'now', note: '1 / 4' },
            { key: 'finish', title: '完成', mark: 'todo' },
          ]}
        />
      ),
    },
    {
      name: ['中止', 'Stopped'],
      draw: () => (
        <StepBar
          label="订单进度"
          steps={[...paid, { key: 'refunded', title: '已退款', mark: 'stop', at: 1_795_700_000 }]}
        />
      ),
    },
    {
      name: ['失败', 'Failed'],
      draw: () => (
        <StepBar
          label="订单进度"
          steps={[...paid, { key: 'payout', title: '打款', mark: 'fail', note: '商户余额不足' }]}
        />
      ),
    },
  ],
}
