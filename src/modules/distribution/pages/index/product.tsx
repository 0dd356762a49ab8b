import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { materialActions } from '#commands/distribution/material.ts'
import { distributedActions as actions } from '#commands/distribution/product.ts'
import { commissionPage } from '#commands/pages/distribution.ts'
import {
  commissionKinds,
  distributedStates,
  type DistributedState,
} from '#src/areas/commission/commission.ts'
import { marginOf, THIN_BP } from '#src/areas/commission/margin.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { clause } from '#src/domain/text.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { distributedGoods as calls, type GoodsRow as Row } from '../../contract/product.ts'
import { TryRate } from '../../parts/TryRate.tsx'

const looks: States<DistributedState> = {
  on: { text: distributedStates.on, tone: 'good' },
  off: { text: distributedStates.off },
  ended: { text: distributedStates.ended },
}
const bpText = (bp: number | null | undefined): string =>
  typeof bp === 'number' ? percent(bp) : '—'
/** What a seller earns: at a rate, or a fixed amount. */
const Share = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.commission_kind === 'rate') return bpText(row.seller_share_bp)
  return `${say(commissionKinds.fixed)} ${row.fixed_share_cents === undefined ? '—' : yuan(row.fixed_share_cents)}`
}
const Kept = ({ row }: { row: Row }) => {
  if (row.kept_cents === undefined || row.kept_bp === undefined) return '—'
  return row.kept_bp < THIN_BP ? (
    <Badge tone="warn">
      {yuan(row.kept_cents)} · {percent(row.kept_bp)}
    </Badge>
  ) : (
    <>
      <Money cents={row.kept_cents} /> <span className="m-muted">{percent(row.kept_bp)}</span>
    </>
  )
}
const refundRate = (row: Row): string =>
  row.sold_count === 0 ? '—' : `${Math.round((row.refunded_count * 100) / row.sold_count)}%`
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['商品', 'Product'], 200), grow: true },
  {
    key: 'price_cents',
    title: ['售价', 'Price'],
    width: 88,
    align: 'end',
    cell: row => <Money cents={row.price_cents} />,
  },
  {
    key: 'share',
    title: ['佣金', 'Commission'],
    width: 112,
    align: 'end',
    priority: 1,
    cell: row => <Share row={row} />,
  },
  {
    key: 'kept',
    title: ['剩余毛利', 'Margin'],
    width: 132,
    align: 'end',
    priority: 1,
    cell: row => <Kept row={row} />,
  },
  { ...numberColumn('sold_count', ['分销销量', 'Sold'], 80), priority: 2 },
  {
    key: 'refund_rate',
    title: ['退款率', 'Refund rate'],
    width: 72,
    align: 'end',
    priority: 3,
    cell: refundRate,
  },
  stateColumn('status', ['状态', 'State'], 84, looks),
  { ...numberColumn('sort', ['排序', 'Sort'], 64), priority: 4 },
  { ...numberColumn('materials', ['素材', 'Materials'], 64), priority: 4 },
  { ...timeColumn('end_at', ['结束时间', 'Until'], 96), optional: true },
]
const Rates = ({ row }: { row: Row }) => {
  const say = useSay()
  const levels = Object.entries(row.level_shares ?? {})
  return (
    <Section title={say(['佣金', 'Commission'])}>
      <Facts>
        <Fact label={say(['分销员', 'Seller'])}>
          <Share row={row} />
        </Fact>
        <Fact label={say(['导购奖励', 'Guide'])}>{bpText(row.guide_share_bp)}</Fact>
        <Fact label={say(['团长奖励', 'Leader'])}>
          {row.leader_share_bp === null
            ? say(['按各团队', 'Per team'])
            : bpText(row.leader_share_bp)}
        </Fact>
        <Fact label={say(['等级加成', 'Level bonus'])}>
          {levels.length === 0
            ? '—'
            : levels
                .map(([n, bp]) => say([`${n} 级 +${percent(bp)}`, `${n}: +${percent(bp)}`]))
                .join(say(clause))}
        </Fact>
        {row.waiver && (
          <Fact wide label={say(['分账上限豁免', 'Cap waived'])}>
            {row.waiver}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** The margin in its parts; only for whom settlement prices are shown. */
const Margin = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.settle_price_cents === undefined || row.seller_share_bp === undefined) return null
  const m = marginOf(
    { price_cents: row.price_cents, settle_price_cents: row.settle_price_cents },
    {
      commission_kind: row.commission_kind,
      rate_bp: row.seller_share_bp,
      fixed_cents: row.fixed_share_cents ?? 0,
      level_plus: row.level_shares ?? {},
      leader_bp: row.leader_share_bp ?? null,
      guide_bp: row.guide_share_bp ?? 0,
      waiver: row.waiver,
    },
  )
  const parts = [
    [['售价', 'Price'], row.price_cents],
    [['减：结算价', 'Less settlement price'], row.settle_price_cents],
    [['减：手续费', 'Less channel fee'], m.channel_cents],
    [['减：分销员', 'Less highest seller share'], m.seller_cents],
    [['减：团长', 'Less leader'], m.leader_cents],
    [['减：导购', 'Less guide'], m.guide_cents],
    [['剩余毛利', 'Margin'], m.left_cents],
  ] as const
  return (
    <Section title={say(['毛利', 'Margin'])}>
      <Facts>
        {parts.map(([title, sum]) => (
          <Fact key={title[0]} label={say(title)}>
            <Money cents={sum} sign />
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Rates row={row} />
      <Margin row={row} />
      <Section title={say(['分销成绩', 'Results'])}>
        <Facts>
          <Fact label={say(['销量', 'Sold'])}>
            {me.can(commissionPage.permit) ? (
              <Link href={to(commissionPage, { product_id: row.ref_id })}>{row.sold_count}</Link>
            ) : (
              row.sold_count
            )}
          </Fact>
          <Fact label={say(['退款', 'Refunded'])}>
            {row.refunded_count} <span className="m-muted">{refundRate(row)}</span>
          </Fact>
          <Fact label={say(['销售额', 'Sales'])}>
            <Money cents={row.gmv_cents} sign />
          </Fact>
          <Fact label={say(['素材', 'Materials'])}>{row.materials}</Fact>
          <Fact label={say(['开始时间', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束时间', 'Until'])}>
            <When at={row.end_at} />
          </Fact>
          <Fact label={say(['商品编号', 'Product ID'])}>{String(row.ref_id)}</Fact>
          <Fact label={say(['商品状态', 'Product'])}>
            {say(row.on_sale ? ['在售', 'On sale'] : ['未上架', 'Not on sale'])}
          </Fact>
          {row.reason && (
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** What is distributed, what it pays to whom, and what that leaves. */
export default function DistributedGoods() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, distributedStates)
  const pane = usePane()
  const { run } = useWorkbench()
  const [trying, setTrying] = usePaneState('trying', false)
  useExport(actions.export, calls.export, { list })
  useDetailAction(actions.tryRate, () => setTrying(!trying))
  useAction(actions.addMaterial, ([row]: readonly Row[]) => {
    if (!row) return
    const on = { id: row.ref_id, name: row.name, product_id: row.ref_id, product_name: row.name }
    void run(materialActions.create, [], { pane: pane.id, on })
  })
  const tried =
    list.selected.size > 0
      ? [...list.selected.values()]
      : [list.focusedRow].flatMap(row => row ?? [])
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['分销商品', 'Distributed goods'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword
              of={list}
              by="keyword"
              placeholder={say(['商品名称或编号', 'Title or product ID'])}
            />
            <CityFilter of={list} />
            <MallFilter of={list} />
            <Toggle of={list} by="thin" label={say(['毛利低于 2%', 'Margin under 2%'])} />
          </>
        }
      />
      {trying && tried.length > 0 ? (
        <TryRate rows={tried} onEnd={() => setTrying(false)} />
      ) : (
        <Chosen
          of={list}
          none={say([
            '选择一个商品查看佣金与毛利',
            'Choose a product to see its commission and margin',
          ])}
        >
          {row => <Detail key={row.id} row={row} />}
        </Chosen>
      )}
    </ListDetail>
  )
}
