import type { ReactNode } from 'react'
import type { Action, Page } from '#commands/command.ts'
import { settleStates, type SettleState } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { Among } from '#src/kit/among.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { PERIOD_DAYS } from '../contract/shared.ts'
import {
  verifyFlags,
  verifyWays,
  type VerifyCalls,
  type VerifyFlag,
  type VerifyRow,
  type VerifySums,
  type VerifyWay,
} from '../contract/verify.ts'
import { Settle } from './verifyColumns.tsx'
import { VerifyDetail } from './VerifyDetail.tsx'
import './order.css'

type Row = VerifyRow
/** One line of totals: all, taken back, what stands. */
const SumLine = ({
  title,
  of,
  strong = false,
}: {
  title: Text
  of: VerifySums
  strong?: boolean
}) => {
  const say = useSay()
  const Cell = strong ? 'b' : 'span'
  return (
    <tr>
      <th scope="row">{say(title)}</th>
      <td className="o-right m-num">{of.rows.toLocaleString()}</td>
      <td className="o-right m-num">{of.times.toLocaleString()}</td>
      {[of.pay_cents, of.platform_cents, of.commission_cents, of.settle_cents].map((cents, at) => (
        <td key={at} className="o-right">
          <Cell>
            <Money cents={cents} />
          </Cell>
        </td>
      ))}
    </tr>
  )
}
/**
 * Totals of what matches; what was taken back counts below zero, so that the last line is what is
 * settled.
 */
export const Sums = ({
  of,
}: {
  of: { all: VerifySums; reversed: VerifySums; net: VerifySums }
}) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th />
          <th className="o-right">{say(['笔数', 'Count'])}</th>
          <th className="o-right">{say(['次数', 'Uses'])}</th>
          <th className="o-right">{say(['实付分摊', 'Share'])}</th>
          <th className="o-right">{say(['平台分摊', 'Platform'])}</th>
          <th className="o-right">{say(['佣金', 'Commission'])}</th>
          <th className="o-right">{say(['结算', 'Settled'])}</th>
        </tr>
      </thead>
      <tbody>
        <SumLine title={['核销', 'Redeemed']} of={of.all} />
        <SumLine title={['撤销', 'Reversed']} of={of.reversed} />
        <SumLine title={['净额', 'Net']} of={of.net} strong />
      </tbody>
    </table>
  )
}
const asked = (list: ListState<Row>) => {
  const { page: _, pageSize: __, sort: ___, ...filters } = list.input as Record<string, unknown>
  return filters
}
const Totals = ({ calls, list }: { calls: VerifyCalls; list: ListState<Row> }) => {
  const say = useSay()
  const { data } = useRead(calls.sums, asked(list))
  return (
    <div className="o-sums" role="status" aria-label={say(['合计', 'Totals'])}>
      {data ? (
        <Sums of={data} />
      ) : (
        <span className="m-muted">{say(['合计计算中…', 'Totals…'])}</span>
      )}
      {data?.bills && (
        <p className="m-muted">
          {say(['{n} 张账单，合计', '{n} bills, total'], { n: data.bills.n })}{' '}
          <Money cents={data.bills.cents} sign />
        </p>
      )}
    </div>
  )
}
type Props = {
  calls: VerifyCalls
  at: Page
  openOrder: Action
  actions: readonly Action[]
  columns: readonly Column<Row>[]
  flags: readonly VerifyFlag[]
  inspect?: (row: Row, list: ListState<Row>) => ReactNode
  also?: (list: ListState<Row>) => ReactNode
}
const Filters = ({
  list,
  calls,
  flags,
}: Pick<Props, 'calls' | 'flags'> & { list: ListState<Row> }) => {
  const say = useSay()
  return (
    <>
      <Keyword of={list} by="q" placeholder={say(['订单号、券码、账单号', 'Order, code, bill'])} />
      <Choice
        of={list}
        by="flag"
        label={say(['提示', 'Flags'])}
        options={flags.map(key => ({ value: key, label: say(verifyFlags[key]) }))}
      />
      <Choice
        of={list}
        by="way"
        label={say(['方式', 'How'])}
        options={(Object.keys(verifyWays) as VerifyWay[]).map(key => ({
          value: key,
          label: say(verifyWays[key]),
        }))}
      />
      <CityFilter of={list} />
      <Among
        of={list}
        by="store_id"
        label={say(['门店', 'Store'])}
        find={calls.stores}
        labelOf={one => one.name}
      />
      <Among
        of={list}
        by="verifier_id"
        label={say(['核销员', 'Clerk'])}
        find={calls.clerks}
        labelOf={one => `${one.name} · ${one.merchant_name}`}
      />
      <Period
        of={list}
        from="from"
        to="to"
        most={PERIOD_DAYS}
        usual={['核销时间', 'When redeemed']}
      />
    </>
  )
}
/**
 * A list of redemptions: totals of what matches on top, tabs by where their money is, and all about
 * the one in focus beside it.
 */
export const VerifyList = ({
  calls,
  at,
  openOrder,
  actions,
  columns,
  flags,
  inspect,
  also,
}: Props) => {
  const say = useSay()
  const workbench = useWorkbench()
  const list = useList(calls.lst)
  const { settle: _, ...others } = asked(list)
  const counts = useRead(calls.counts, others)
  useExport(
    actions.find(action => action.call === calls.export)!,
    calls.export,
    { list },
  )
  const tab = (key: SettleState | 'all', title: Text) => ({
    key,
    title,
    ...(counts.data && { count: counts.data[key] ?? 0 }),
  })
  const row = list.focusedRow
  return (
    <ListDetail>
      <div className="o-verify">
        <Totals calls={calls} list={list} />
        <List
          of={list}
          label={say([at.title, at.en])}
          columns={columns}
          actions={actions}
          onOpen={one => workbench.open(openOrder.to!([one]))}
          aside={also?.(list)}
          tabs={{
            by: 'settle',
            all: [
              tab('all', ['全部', 'All']),
              ...(Object.keys(settleStates) as SettleState[]).map(key =>
                tab(key, settleStates[key]),
              ),
            ],
          }}
          filters={<Filters list={list} calls={calls} flags={flags} />}
        />
      </div>
      {row ? (
        <Inspector title={row.title} aside={<Settle row={row} />}>
          <VerifyDetail row={row}>{inspect?.(row, list)}</VerifyDetail>
        </Inspector>
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
