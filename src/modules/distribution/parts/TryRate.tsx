import { Button, InputGroup } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { distributedActions as actions } from '#commands/distribution/product.ts'
import { marginOf, termsFault, type GoodsTerms } from '#src/areas/commission/margin.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Money, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { usePane, useWorkbench } from '#src/kit/workbench.ts'
import type { GoodsRow as Row } from '../contract/product.ts'

/** The terms of a row with another rate; as they stand where none is tried. */
const termsOf = (row: Row, rate_bp: number | undefined): GoodsTerms => ({
  commission_kind: rate_bp === undefined ? row.commission_kind : 'rate',
  rate_bp: rate_bp ?? row.seller_share_bp ?? 0,
  fixed_cents: row.fixed_share_cents ?? 0,
  level_plus: row.level_shares ?? {},
  leader_bp: row.leader_share_bp ?? null,
  guide_bp: row.guide_share_bp ?? 0,
  waiver: row.waiver,
})
/** A percentage as typed, in basis points; undefined where it is none. */
const bpOf = (typed: string): number | undefined =>
  /^(100|\d{1,2})(\.\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed) * 100) : undefined

const Left = ({ rate_bp, row }: { rate_bp: number | undefined; row: Row }) => {
  const say = useSay()
  const price = { price_cents: row.price_cents, settle_price_cents: row.settle_price_cents ?? 0 }
  const fault = termsFault(price, termsOf(row, rate_bp))
  const { left_cents, left_bp } = marginOf(price, termsOf(row, rate_bp))
  return (
    <>
      <Money cents={left_cents} sign /> <span className="m-muted">{percent(left_bp)}</span>{' '}
      {fault && (
        <Badge tone="bad" title={say(fault.fault)}>
          {say(['超限', 'Over the limit'])}
        </Badge>
      )}
    </>
  )
}
/** The parts of one price at a rate, and why it would be refused. */
const Parts = ({ rate_bp, row }: { rate_bp: number | undefined; row: Row }) => {
  const say = useSay()
  const price = { price_cents: row.price_cents, settle_price_cents: row.settle_price_cents ?? 0 }
  const terms = termsOf(row, rate_bp)
  const m = marginOf(price, terms)
  const fault = termsFault(price, terms)
  return (
    <>
      <p>
        {say([
          `售价 ${yuan(row.price_cents)} − 结算价 ${yuan(price.settle_price_cents)} − 手续费 ${yuan(m.channel_cents)} − 分销员 ${yuan(m.seller_cents)} − 团长 ${yuan(m.leader_cents)} − 导购 ${yuan(m.guide_cents)} = ${yuan(m.left_cents)} 元`,
          `Price ${yuan(row.price_cents)} − settlement ${yuan(price.settle_price_cents)} − fee ${yuan(m.channel_cents)} − seller ${yuan(m.seller_cents)} − leader ${yuan(m.leader_cents)} − guide ${yuan(m.guide_cents)} = ¥${yuan(m.left_cents)}`,
        ])}
      </p>
      {fault && (
        <p role="alert" className="m-bad">
          {say(fault.fault)}
        </p>
      )}
    </>
  )
}

/** What each of some goods would leave at a rate, counted while it is written. */
export const TryRate = ({ rows, onEnd }: { rows: readonly Row[]; onEnd: () => void }) => {
  const say = useSay()
  const { run } = useWorkbench()
  const { id: pane } = usePane()
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const rate_bp = bpOf(typed)
  const [first] = rows
  const action = rows.length > 1 ? actions.batchRate : actions.editRate
  return (
    <Inspector title={say(['试算毛利', 'Try a rate'])}>
      <Section title={say(['拟调佣金（%）', 'Rate to try (%)'])}>
        <InputGroup
          inputRef={input}
          aria-label={say(['拟调佣金（%）', 'Rate to try (%)'])}
          value={typed}
          inputMode="decimal"
          placeholder={say(['不填则按现有佣金', 'Empty: current rate'])}
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') onEnd()
          }}
        />
        {rows.length === 1 && <Parts rate_bp={rate_bp} row={first!} />}
      </Section>
      <Section title={say(['剩余毛利', 'Remaining margin'])}>
        <SmallTable
          head={[
            ['商品', 'Product'],
            ['现在', 'Now'],
            ['调整后', 'After'],
          ]}
          rows={rows}
          keyOf={row => row.id}
          cells={row => [
            row.name,
            <Left key="now" rate_bp={undefined} row={row} />,
            <Left key="then" rate_bp={rate_bp} row={row} />,
          ]}
        />
        <Button
          onClick={() =>
            run(
              action,
              rows.map(row => ({ ...row, tried_bp: rate_bp })),
              { pane },
            )
          }
        >
          {say(
            rows.length > 1 ? ['批量调佣', 'Change these rates'] : ['调整佣金', 'Change the rate'],
          )}
        </Button>{' '}
        <Button variant="minimal" onClick={onEnd}>
          {say(['结束试算', 'End'])}
        </Button>
      </Section>
    </Inspector>
  )
}
