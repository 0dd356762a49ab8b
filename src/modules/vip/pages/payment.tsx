import { paidActions as actions } from '#commands/vip/payment.ts'
import { subscriptionStates } from '#src/areas/vipCard/subscription.ts'
import { percent } from '#src/domain/money.ts'
import { Among } from '#src/kit/among.tsx'
import { moneyColumn, stateColumn, textColumn, timeColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { paidMembers as calls, type PaidRow as Row } from '../contract/payment.ts'
import { Figures } from '../parts/Figures.tsx'
import { PaidDetail, paidLooks } from '../parts/PaidDetail.tsx'

const YEARS_DAYS = 3700
/** When it is charged next, that it is at it, or that it does not renew. */
const Renewal = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.charging) return <Badge tone="info">{say(['扣款中', 'Charging'])}</Badge>
  if (!row.auto_renew) return <span className="m-muted">{say(['未开启', 'Off'])}</span>
  return <When at={row.next_charge_at} />
}
const Asked = ({ row }: { row: Row }) => {
  const say = useSay()
  const error = row.charge_error
  return row.asked ? (
    <Badge tone="warn">{say(['延期待复核', 'Extension pending'])}</Badge>
  ) : (
    <span title={error}>{error || '—'}</span>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('member_name', ['会员', 'Member'], 110), grow: true },
  { ...textColumn('card_name', ['卡种', 'Plan'], 100), grow: true },
  stateColumn('status', ['状态', 'State'], 84, paidLooks),
  { ...timeColumn('start_at', ['开始', 'From'], 108), priority: 4 },
  { ...timeColumn('end_at', ['到期', 'Until'], 108), priority: 1 },
  {
    key: 'renewal',
    title: ['下次扣款', 'Next charge'],
    width: 108,
    priority: 1,
    cell: row => <Renewal row={row} />,
  },
  { ...moneyColumn('saved_cents', ['累计节省', 'Saved'], 88), priority: 3 },
  { ...moneyColumn('paid_cents', ['累计实付', 'Paid'], 88), priority: 3 },
  {
    key: 'trouble',
    title: ['最近扣款失败', 'Last failure'],
    width: 156,
    grow: true,
    priority: 1,
    cell: row => <Asked row={row} />,
    words: row => row.charge_error,
  },
  { ...textColumn('uid', ['会员号', 'Member no.'], 112), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 72), optional: true },
]
const renewals = {
  on: ['自动续费', 'Auto-renews'],
  off: ['不自动续费', 'No auto-renewal'],
} as const
const PaidFigures = () => {
  const say = useSay()
  const { data } = useRead(calls.figures, {})
  return (
    <Figures
      label={say(['付费会员概览', 'Overview'])}
      of={[
        [say(['生效会员', 'Active members']), data?.active.toLocaleString('en')],
        [say(['7 天内到期', 'Ending in 7 days']), data?.ending.toLocaleString('en')],
        [
          say(['近 30 天续费率', 'Renewal rate, 30 days']),
          data && percent(data.renewed_bp),
          data && say(['到期 {n} 期', '{n} periods ended'], { n: data.ended }),
        ],
        [
          say(['近 30 天流失', 'Lost, 30 days']),
          data && `${data.lost.toLocaleString('en')} · ${percent(data.lost_bp)}`,
        ],
        [say(['人均节省', 'Saved per member']), data && <Money cents={data.saved_cents} sign />],
      ]}
    />
  )
}

/** Paid members now: until when, whether they will be charged, and what is done about complaints. */
export default function PaidMembers() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, subscriptionStates)
  useExport(actions.export, calls.export, { list })
  useResult(actions.extend, ({ waits }) => {
    toast(
      waits
        ? say(['已提交，等待另一人复核', 'Submitted for someone else to review'])
        : say(['已延期', 'Extended']),
      waits ? 'warning' : 'success',
    )
    return true
  })
  useResult(actions.retryCharge, () => {
    toast(
      say(['扣款已发起，以渠道结果为准', 'Charge started; the channel confirms the result']),
      'success',
    )
    return true
  })
  return (
    <div className="vp-page">
      <PaidFigures />
      <ListDetail>
        <List
          of={list}
          label={say(['付费会员', 'Paid members'])}
          columns={columns}
          tabs={tabs}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['手机号、会员号或昵称', 'Phone, no., nickname'])}
              />
              <Among
                of={list}
                by="card_id"
                label={say(['卡种', 'Plan'])}
                find={calls.plans}
                labelOf={row => row.name}
              />
              <Choice
                of={list}
                by="auto_renew"
                label={say(['续费方式', 'Renewal'])}
                words={renewals}
              />
              <CityFilter of={list} />
              <Period
                of={list}
                from="from"
                to="to"
                most={YEARS_DAYS}
                usual={['到期时间不限', 'Any end date']}
              />
              <Toggle of={list} by="failing" label={say(['扣款失败', 'Charge failed'])} />
              <Toggle of={list} by="asked" label={say(['待复核', 'Pending review'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位付费会员', 'Choose a member'])}>
          {row => <PaidDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
