import { Dialog, DialogBody } from '@blueprintjs/core'
import { benefits, planKinds, refundPolicies } from '#src/areas/vipCard/vipCard.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { plans as calls, type PlanFigures, type PlanRow } from '../contract/card.ts'

type Side = { row: PlanRow; sold: PlanFigures }
type Line = readonly [label: Text, of: (side: Side, say: ReturnType<typeof useSay>) => string]
const money = (cents: number) => `¥${yuan(cents)}`
const lines: readonly Line[] = [
  [['类型', 'Kind'], ({ row }, say) => say(planKinds[row.kind])],
  [['天数', 'Days'], ({ row }) => String(row.days)],
  [['售价', 'Price'], ({ row }) => money(row.price_cents)],
  [
    ['首购价', 'Intro price'],
    ({ row }) => (row.first_price_cents === null ? '—' : money(row.first_price_cents)),
  ],
  [['每天', 'A day'], ({ row }) => money(Math.round(row.price_cents / row.days))],
  [['权益', 'Benefits'], ({ row }, say) => row.benefits.map(one => say(benefits[one])).join(' · ')],
  [
    ['开卡礼券', 'Welcome coupons'],
    ({ sold }) => sold.gifts.map(one => one.name).join(' · ') || '—',
  ],
  [['退款规则', 'Refund policy'], ({ row }, say) => say(refundPolicies[row.refund_policy])],
  [['生效会员', 'Active members'], ({ sold }) => sold.active_n.toLocaleString()],
  [['近 30 天开通', 'Opened, 30 days'], ({ sold }) => sold.opened_30d.toLocaleString()],
  [['累计实付', 'Total paid'], ({ sold }) => money(sold.paid_cents)],
  [['续费占比', 'Renewal share'], ({ sold }) => percent(sold.renewed_bp)],
  [['退会占比', 'Refund share'], ({ sold }) => percent(sold.ended_bp)],
]
/** Two plans side by side: what each gives and costs, and how it sells. */
export const PlanCompare = ({
  rows,
  close,
}: {
  rows: readonly [PlanRow, PlanRow]
  close: () => void
}) => {
  useReturnFocus()
  const say = useSay()
  const read = useRead(calls.figures, { ids: rows.map(row => row.id) })
  return (
    <Dialog isOpen onClose={close} title={say(['卡种对比', 'Two plans'])} style={{ width: 640 }}>
      <DialogBody>
        <Answer of={read} lines={8}>
          {({ list }) => {
            const sides = rows.map((row, at) => ({ row, sold: list[at]! }))
            return (
              <SmallTable
                head={[
                  ['项目', 'Item'],
                  [rows[0].name, rows[0].name],
                  [rows[1].name, rows[1].name],
                ]}
                rows={lines}
                keyOf={([label]) => label[0]}
                cells={([label, of]) => [say(label), ...sides.map(side => of(side, say))]}
              />
            )
          }}
        </Answer>
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
