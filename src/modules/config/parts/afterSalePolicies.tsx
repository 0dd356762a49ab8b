import { useRef, useState } from 'react'
import { afterSalesActions as actions } from '#commands/config/afterSales.ts'
import { freightPayers, policyNames } from '#src/areas/afterSalePolicy/policy.ts'
import { policyTitles, policyWord } from '#src/areas/afterSalePolicy/policyWords.ts'
import { yuan } from '#src/domain/money.ts'
import { semicolon } from '#src/domain/text.ts'
import { numberColumn, SmallTable, wordColumn } from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, useWorkbench } from '#src/kit/workbench.ts'
import { afterSales as calls, type PolicyRow } from '../contract/afterSales.ts'

const Category = ({ row }: { row: PolicyRow }) => (
  <span style={{ paddingInlineStart: Math.max(0, row.level - 1) * 14 }}>
    {row.own ? <b>{row.name}</b> : row.name}
  </span>
)
const Source = ({ row }: { row: PolicyRow }) => {
  const say = useSay()
  return row.own ? (
    <Badge tone="info">{say(['单独设置', 'Custom'])}</Badge>
  ) : (
    <span className="m-muted">{say(['沿用{name}', '{name}'], { name: row.from })}</span>
  )
}
const policyColumns: readonly Column<PolicyRow>[] = [
  {
    key: 'name',
    title: ['分类', 'Category'],
    width: 170,
    cell: row => <Category row={row} />,
    words: row => row.full_name,
    grow: true,
  },
  { key: 'own', title: ['来源', 'Source'], width: 130, cell: row => <Source row={row} /> },
  numberColumn('no_reason_days', ['退货期（天）', 'Days'], 92),
  wordColumn('freight_payer', ['退货运费', 'Freight'], 100, freightPayers),
  numberColumn('merchant_h', ['商家（小时）', 'Merchant, h'], 92),
  numberColumn('platform_h', ['平台（小时）', 'Platform, h'], 92),
  {
    key: 'auto_agree_cents',
    title: ['自动同意（元）', 'By itself, ¥'],
    width: 104,
    align: 'end',
    cell: row => yuan(row.auto_agree_cents),
  },
  {
    key: 'fast_limit_cents',
    title: ['极速退款（元）', 'Fast, ¥'],
    width: 104,
    align: 'end',
    cell: row => (row.fast_limit_cents === 0 ? '—' : yuan(row.fast_limit_cents)),
  },
]

const Versions = ({ row }: { row: PolicyRow }) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const { me } = useWorkbench()
  const may = me.can(calls.history.permit)
  const read = useRead(calls.history, may ? { id: row.id, pageSize: 20 } : skipToken)
  useAction(actions.history, () => {
    box.current?.scrollIntoView({ block: 'start' })
    box.current?.focus()
  })
  if (!may) return null
  return (
    <div ref={box} tabIndex={-1}>
      <Section title={say(['版本', 'Versions'])}>
        <Answer of={read} none={say(['没有自己的版本，沿用上级', 'None of its own'])}>
          {({ list }) => (
            <SmallTable
              head={[
                ['版本', 'Version'],
                ['改动', 'Changed'],
                ['原因', 'Reason'],
                ['时间', 'When'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                `V${one.version_no}`,
                one.inherits
                  ? say(['改为沿用上级', 'Follows the one above'])
                  : one.changes
                      .map(
                        ({ title, before, after }) =>
                          `${say(title)} ${say(before)} → ${say(after)}`,
                      )
                      .join(say(semicolon)) || '—',
                one.by ? `${one.reason} · ${one.by}` : one.reason,
                one.effective_at === null ? (
                  say(['启用时', 'From the start'])
                ) : (
                  <When key="at" at={one.effective_at} />
                ),
              ]}
            />
          )}
        </Answer>
      </Section>
    </div>
  )
}
type Trial = { id: number; order_no?: string | undefined }
/** What a trial told: of an order each of its goods by what it was sold under. */
const Tried = ({ of: { id, order_no } }: { of: Trial }) => {
  const say = useSay()
  const read = useRead(calls.simulate, { id, ...(order_no && { order_no }) })
  return (
    <Section
      title={
        order_no
          ? say(['试算：订单 {no}', 'Order {no}'], { no: order_no })
          : say(['试算：现在售出', 'Sold now'])
      }
      aside={
        read.data?.score != null && (
          <span className="m-muted m-num">
            {say(['买家 {n} 分', 'Buyer’s score {n}'], { n: read.data.score })}
          </span>
        )
      }
    >
      <Answer of={read} none={say(['订单没有商品', 'It has no goods'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['商品', 'Goods'],
              ['版本', 'Version'],
              ['退货期', 'Return'],
              ['运费', 'Freight'],
              ['自动同意', 'By itself'],
              ['逾期赔付', 'Late'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              one.title,
              one.version_no === null ? say(['订单设置', 'Order settings']) : `V${one.version_no}`,
              one.until === null ? (
                say(['收货后 {n} 天', '{n} d after receipt'], { n: one.no_reason_days })
              ) : (
                <When key="until" at={one.until} />
              ),
              one.freight_payer ? say(freightPayers[one.freight_payer]) : '—',
              one.fast ? say(['立即', 'At once']) : `≤ ¥${yuan(one.auto_agree_cents)}`,
              one.late_due_cents > 0 ? `¥${yuan(one.late_due_cents)}` : '—',
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const PolicyDetail = ({ row, trial }: { row: PolicyRow; trial: Trial | undefined }) => {
  const say = useSay()
  return (
    <Inspector title={row.full_name} aside={<Source row={row} />}>
      {trial && <Tried of={trial} />}
      <Section title={say(['适用规则', 'Terms in effect'])}>
        <Facts>
          {policyNames.map(name => (
            <Fact key={name} label={say(policyTitles[name])}>
              {say(policyWord(row, name))}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Versions row={row} />
    </Inspector>
  )
}
const owners = { own: ['单独设置', 'Custom'], inherits: ['沿用上级', 'Inherited'] } as const
const policyActions = [
  actions.savePolicy,
  actions.setFastRefund,
  actions.simulate,
  actions.history,
  actions.inherit,
  actions.rollback,
]
/** Policies by category, their versions and a trial. */
export const Policies = () => {
  const say = useSay()
  const list = useList(calls.lst)
  const [trial, setTrial] = useState<Trial | undefined>(undefined)
  useAnswered(actions.simulate, ({ order_no }) => {
    const id = list.focused
    if (id !== undefined) setTrial({ id, order_no: order_no as string | undefined })
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['售后政策', 'After-sale policies'])}
        columns={policyColumns}
        actions={policyActions}
        filters={
          <>
            <Keyword of={list} placeholder={say(['分类名称', 'Name of a category'])} />
            <Choice of={list} by="own" label={say(['来源', 'Source'])} words={owners} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个分类', 'Choose a category'])}>
        {row => <PolicyDetail row={row} trial={trial?.id === row.id ? trial : undefined} />}
      </Chosen>
    </ListDetail>
  )
}
