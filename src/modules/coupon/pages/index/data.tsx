import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { couponDataActions as actions } from '#commands/coupon/data.ts'
import { couponGrantKinds, couponPieces, type CouponPiece } from '#src/areas/coupon/couponWords.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered } from '#src/kit/workbench.ts'
import { couponData as calls, type GrantRow } from '../../contract/data.ts'
import { Figures } from '../../parts/Figures.tsx'

const states: States<CouponPiece> = {
  unused: { text: couponPieces.unused, tone: 'info' },
  locked: { text: couponPieces.locked, tone: 'warn' },
  used: { text: couponPieces.used, tone: 'good' },
  expired: { text: couponPieces.expired },
  revoked: { text: couponPieces.revoked, tone: 'bad' },
}
const columns: readonly Column<GrantRow>[] = [
  { ...textColumn('member_name', ['会员', 'Member'], 130), grow: true },
  stateColumn('status', ['状态', 'State'], 92, states),
  { key: 'code', title: ['券码', 'Code'], width: 130, priority: 4, cell: row => row.code ?? '—' },
  wordColumn('grant_kind', ['来源', 'Source'], 130, couponGrantKinds),
  timeColumn('created_at', ['领取时间', 'Claimed'], 104),
  timeColumn('end_at', ['有效期至', 'Valid until'], 104),
  {
    key: 'discount_cents',
    title: ['减免', 'Off'],
    width: 84,
    align: 'end',
    cell: row => (row.discount_cents === null ? '—' : <Money cents={row.discount_cents} />),
  },
  { ...textColumn('order_no', ['订单号', 'Order'], 150), optional: true },
  { ...textColumn('store_name', ['门店', 'Store'], 130), optional: true },
  { ...numberColumn('member_id', ['会员号', 'Member ID'], 80), optional: true },
]
/** The piece in focus. */
const Piece = ({ row }: { row: GrantRow }) => {
  const say = useSay()
  return (
    <Section title={say(['这一张', 'This coupon'])} aside={<State of={row.status} in={states} />}>
      <Facts>
        <Fact label={say(['会员', 'Member'])}>{row.member_name || '—'}</Fact>
        <Fact label={say(['来源', 'Source'])}>{say(couponGrantKinds[row.grant_kind])}</Fact>
        <Fact label={say(['可用自', 'Valid from'])}>
          <When at={row.start_at} />
        </Fact>
        <Fact label={say(['使用时间', 'Used'])}>
          <When at={row.used_at} />
        </Fact>
        {row.order_no && (
          <Fact wide label={say(['订单号', 'Order'])}>
            {row.order_no}
          </Fact>
        )}
        {row.store_name && (
          <Fact wide label={say(['门店', 'Store'])}>
            {row.store_name}
          </Fact>
        )}
        {row.reason && (
          <Fact wide label={say(['原因', 'Why'])}>
            {row.reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Data = ({ coupon_id }: { coupon_id: number }) => {
  const say = useSay()
  const list = useList(
    calls.lst,
    useMemo(() => ({ coupon_id }), [coupon_id]),
  )
  const { tabs } = useStateTabs(list, calls.lst, couponPieces)
  const [other, setOther] = useState<number | undefined>(undefined)
  const figures = useRead(calls.figures, { coupon_id })
  const beside = useRead(calls.figures, other === undefined ? skipToken : { coupon_id: other })
  useAnswered(actions.compare, asked => setOther(asked['coupon_id'] as number))
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['领用明细', 'Claims'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <Choice
            of={list}
            by="grant_kind"
            label={say(['来源', 'Source'])}
            words={couponGrantKinds}
          />
        }
      />
      <Inspector title={figures.data?.name ?? say(['优惠券数据', 'Coupon data'])}>
        {list.focusedRow && <Piece row={list.focusedRow} />}
        <Answer of={figures} lines={12}>
          {of => <Figures of={of} beside={other === undefined ? undefined : beside.data} />}
        </Answer>
      </Inspector>
    </ListDetail>
  )
}

/** What became of the coupon of `?coupon_id=`: its pieces, and beside them its figures. */
export default function CouponDataPage() {
  const say = useSay()
  const coupon_id = Number(new URLSearchParams(useSearch()).get('coupon_id'))
  return Number.isInteger(coupon_id) && coupon_id > 0 ? (
    <Data key={coupon_id} coupon_id={coupon_id} />
  ) : (
    <Empty title={say(['没有指定优惠券', 'No coupon named'])} />
  )
}
