import {
  Archive,
  BanCircle as Ban,
  Cross,
  Edit,
  Pause,
  Stopwatch,
  Tick,
  Time,
} from '@blueprintjs/icons'
import { useState } from 'react'
import { couponActions, mallCouponActions } from '#commands/coupon/coupons.ts'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { couponOffer, couponReach } from '#src/areas/coupon/couponSentence.ts'
import { appliesOf, couponBearers, couponClaims, kindsOf } from '#src/areas/coupon/couponWords.ts'
import { couponKinds, couponStates, type CouponState } from '#src/areas/mall/recommend.ts'
import { percent } from '#src/domain/money.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  Words,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Money, Span } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { callsIn, type CouponRow } from '../contract/coupon.ts'
import { ClaimCode } from './ClaimCode.tsx'
import { CouponFacts } from './CouponFacts.tsx'
import './coupon.css'

const states: States<CouponState> = {
  draft: { text: couponStates.draft, icon: Edit },
  auditing: { text: couponStates.auditing, tone: 'info', icon: Stopwatch },
  rejected: { text: couponStates.rejected, tone: 'bad', icon: Cross },
  waiting: { text: couponStates.waiting, tone: 'info', icon: Time },
  active: { text: couponStates.active, tone: 'good', icon: Tick },
  paused: { text: couponStates.paused, tone: 'warn', icon: Pause },
  ended: { text: couponStates.ended, icon: Archive },
  void: { text: couponStates.void, tone: 'bad', icon: Ban },
}
const rate = (part: number, of: number): string =>
  of === 0 ? '—' : percent(Math.round((part / of) * 10_000))
/** The pieces that are left, marked where all of them are claimed while it still runs. */
const Left = ({ row }: { row: CouponRow }) => {
  const say = useSay()
  const isGone = row.status === 'active' && row.claimed_count >= row.total
  return isGone ? <Badge tone="warn">{say(['已领完', 'All claimed'])}</Badge> : row.claimed_count
}
const shared: readonly Column<CouponRow>[] = [
  {
    key: 'name',
    title: ['优惠券', 'Coupon'],
    width: 190,
    grow: true,
    cell: row => row.name,
    words: row => row.name,
  },
  stateColumn('status', ['状态', 'State'], 92, states),
  {
    key: 'offer',
    title: ['优惠', 'Offer'],
    width: 190,
    priority: 1,
    // A sum in words is a number too: none of it is cut.
    cell: row => (
      <span className="m-num">
        <Words of={couponOffer(row)} />
      </span>
    ),
  },
  {
    key: 'reach',
    title: ['适用范围', 'Scope'],
    width: 150,
    cell: row => <Words of={couponReach(row)} />,
    priority: 3,
  },
  numberColumn('total', ['总量', 'Total'], 72),
  {
    key: 'claimed_count',
    title: ['已领', 'Claimed'],
    width: 84,
    align: 'end',
    cell: row => <Left row={row} />,
  },
  numberColumn('used_count', ['已用', 'Used'], 64),
  {
    key: 'use_rate',
    title: ['使用率', 'Use rate'],
    width: 76,
    align: 'end',
    cell: row => rate(row.used_count, row.claimed_count),
    priority: 2,
  },
  {
    key: 'cost_cents',
    title: ['已减免', 'Cost so far'],
    width: 100,
    align: 'end',
    cell: row => <Money cents={row.cost_cents} />,
    priority: 1,
  },
  {
    key: 'claim',
    title: ['领取时间', 'Claimed'],
    width: 160,
    cell: row => <Span from={row.claim_start_at} to={row.claim_end_at} />,
  },
]
const optional: readonly Column<CouponRow>[] = [
  { ...wordColumn('kind', ['类型', 'Kind'], 72, couponKinds), optional: true },
  { ...wordColumn('claim_kind', ['领取方式', 'Claim method'], 110, couponClaims), optional: true },
  { ...textColumn('coupon_no', ['券编号', 'Number'], 96), optional: true },
  { ...textColumn('creator_name', ['负责人', 'Owner'], 84), optional: true },
  { ...timeColumn('created_at', ['创建时间', 'Created'], 104), optional: true },
]
/** Shops pay a part of most coupons of the e-mall: their list shows it at once. */
const split: Column<CouponRow> = {
  key: 'split',
  title: ['平台 / 店铺承担', 'Platform / shop'],
  width: 124,
  align: 'end',
  cell: row => `${percent(row.platform_share_bp)} / ${percent(row.merchant_share_bp)}`,
}
const columnsOf: Readonly<Record<CouponScope, readonly Column<CouponRow>[]>> = {
  local: [
    ...shared,
    ...optional,
    { ...split, title: ['平台 / 商户承担', 'Platform / merchant'], optional: true },
  ],
  ecom: [...shared, split, ...optional],
}

const Detail = ({ scope, row }: { scope: CouponScope; row: CouponRow }) => {
  const whole = useRead(callsIn(scope).detail, { id: row.id })
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={states} />}>
      <Answer of={whole} lines={10}>
        {of => <CouponFacts of={of} />}
      </Answer>
    </Inspector>
  )
}
/** Tells where an action led that may have led elsewhere. */
const useTold = (actions: typeof couponActions) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const sent = ({ status }: { status: string }) => {
    if (status !== 'auditing') return false
    toast(
      say([
        '超出预算，已重新提交审核，通过前停止领取',
        'Over budget: resubmitted for audit, claiming stops until approved',
      ]),
      'warning',
    )
    return true
  }
  useResult(actions.addStock, sent)
  useResult(actions.void, ({ revoked }: { revoked: number }) => {
    toast(say(['已作废，收回 {n} 张', 'Voided; {n} taken back'], { n: revoked }), 'success')
    return true
  })
}

/** Coupons of a scope: what they give, how many are claimed and used, what they cost so far. */
export const CouponList = ({ scope }: { scope: CouponScope }) => {
  const say = useSay()
  const calls = callsIn(scope)
  const actions = scope === 'local' ? couponActions : mallCouponActions
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, couponStates)
  const creators = useRead(calls.creators, {})
  const [code, setCode] = useState<CouponRow | undefined>(undefined)
  useTold(actions)
  useAction(actions.qrcode, ([row]) => setCode(row as CouponRow))
  useExport(actions.export, calls.export, { list })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={
            scope === 'local'
              ? say(['优惠券列表', 'Coupons'])
              : say(['商城券列表', 'E-mall coupons'])
          }
          columns={columnsOf[scope]}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['券名称、编号', 'Name or number'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={kindsOf(scope)} />
              <Choice
                of={list}
                by="apply_kind"
                label={say(['适用范围', 'Scope'])}
                words={appliesOf(scope)}
              />
              {scope === 'local' && <MallFilter of={list} />}
              <Choice
                of={list}
                by="claim_kind"
                label={say(['领取方式', 'Claim method'])}
                words={couponClaims}
              />
              <Choice
                of={list}
                by="bearer"
                label={say(['费用承担', 'Paid by'])}
                words={couponBearers}
              />
              <Choice
                of={list}
                by="created_by"
                label={say(['负责人', 'Owner'])}
                options={(creators.data?.list ?? []).map(one => ({
                  value: one.id,
                  label: one.name,
                }))}
              />
              {told && (
                <span className="m-muted">
                  {say(['累计减免', 'Cost so far'])} <Money cents={told.cost_cents} sign />
                </span>
              )}
            </>
          }
        />
        <Chosen of={list} none={say(['选择一张优惠券', 'Choose a coupon'])}>
          {row => <Detail scope={scope} row={row} />}
        </Chosen>
      </ListDetail>
      {code && <ClaimCode of={code} close={() => setCode(undefined)} />}
    </>
  )
}
