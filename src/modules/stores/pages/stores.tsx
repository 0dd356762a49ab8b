import { Confirm, Edit, Pause, Stopwatch, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { shopActions as actions } from '#commands/stores/stores.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates } from '#src/areas/merchant/merchant.ts'
import { shopBlocks, shopTypes, type ShopType } from '#src/areas/merchant/onlineShop.ts'
import { percent } from '#src/domain/money.ts'
import { numberColumn, State, stateColumn, textColumn, type States } from '#src/kit/cells.tsx'
import { useCounted } from '#src/kit/counted.ts'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { BranchChoice, Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { shops as calls, type ShopRow } from '../contract/stores.ts'
import '../parts/stores.css'

const states: States<StoreState> = {
  draft: { text: storeStates.draft, icon: Edit },
  auditing: { text: storeStates.auditing, tone: 'info', icon: Stopwatch },
  open: { text: storeStates.open, tone: 'good', icon: Tick },
  resting: { text: storeStates.resting, tone: 'warn', icon: Pause },
  closed: { text: storeStates.closed, icon: Confirm },
}
/** Shares from which on they are told as bad. */
const LATE_BAD_BP = 500
const BACK_BAD_BP = 1500
const Share = ({ bp, bad }: { bp: number | null; bad: number }) =>
  bp === null ? '—' : <span className={bp >= bad ? 'm-error' : ''}>{percent(bp)}</span>
/** Zero is no score yet. */
const scoreOf = ({ score_x10 }: ShopRow) => (score_x10 > 0 ? (score_x10 / 10).toFixed(1) : '—')

const columns: readonly Column<ShopRow>[] = [
  {
    key: 'name',
    title: ['店铺', 'Shop'],
    width: 190,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.logo} /> {row.name}
      </>
    ),
    words: row => row.name,
  },
  stateColumn('status', ['状态', 'State'], 84, states),
  {
    key: 'shop_type',
    title: ['类型', 'Kind'],
    width: 92,
    cell: row => <Type row={row} />,
  },
  textColumn('merchant_name', ['商户', 'Merchant'], 170),
  textColumn('category_name', ['主营分类', 'Categories'], 130),
  numberColumn('on_sale_count', ['在售', 'On sale'], 56),
  numberColumn('unshipped', ['待发货', 'To ship'], 64),
  {
    key: 'late_bp',
    title: ['30 天晚发率', 'Late 30 d'],
    width: 92,
    align: 'end',
    cell: row => <Share bp={row.late_bp} bad={LATE_BAD_BP} />,
  },
  {
    key: 'refund_bp',
    title: ['30 天退款率', 'Refunded 30 d'],
    width: 92,
    align: 'end',
    cell: row => <Share bp={row.refund_bp} bad={BACK_BAD_BP} />,
  },
  {
    key: 'score',
    title: ['服务分', 'Score'],
    width: 60,
    align: 'end',
    cell: row => scoreOf(row),
  },
  numberColumn('sort', ['排序', 'Order'], 56),
  { ...textColumn('brand_name', ['品牌', 'Brand'], 88), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
  { ...textColumn('ship_area', ['发货地', 'Ships from'], 120), optional: true },
  { ...textColumn('store_no', ['店铺号', 'Number'], 90), optional: true },
]
const Type = ({ row }: { row: ShopRow }) => {
  const say = useSay()
  return <>{say(shopTypes[row.shop_type])}</>
}
/** What keeps a shop from being opened. */
const Blocks = ({ row }: { row: ShopRow }) => {
  const say = useSay()
  if (row.status !== 'resting') return null
  return (
    <Fact wide label={say(['开店还缺', 'Missing to open'])}>
      {row.blocks.length === 0 ? (
        <Badge tone="good">{say(['可以开店', 'It can be opened'])}</Badge>
      ) : (
        <span className="os-badges">
          {row.blocks.map(block => (
            <Badge key={block} tone="warn">
              {say(shopBlocks[block])}
            </Badge>
          ))}
        </span>
      )}
    </Fact>
  )
}

/** Shows what a rest or a closing touches. */
const Effects = ({ row }: { row: ShopRow }) => {
  const say = useSay()
  const effects = useRead(calls.effects, { id: row.id })
  return (
    <Section title={say(['在售与履约', 'On sale and fulfilment'])}>
      <Answer of={effects}>
        {of => (
          <Facts>
            <Fact label={say(['在售商品', 'On sale'])}>{row.on_sale_count}</Fact>
            <Fact label={say(['暂停后下架', 'Off sale while paused'])}>{of.goes_off}</Fact>
            <Fact label={say(['待发货订单', 'Orders to ship'])}>{of.unshipped}</Fact>
            <Fact label={say(['售后中', 'After-sales'])}>{of.after_sales}</Fact>
            <Fact label={say(['30 天晚发率', 'Late 30 d'])}>
              <Share bp={row.late_bp} bad={LATE_BAD_BP} />
            </Fact>
            <Fact label={say(['30 天退款率', 'Refunded 30 d'])}>
              <Share bp={row.refund_bp} bad={BACK_BAD_BP} />
            </Fact>
            <Fact label={say(['货款', 'Money'])}>
              {of.is_settled ? say(['已结清', 'Settled']) : say(['有未结算', 'Unsettled'])}
            </Fact>
            <Fact label={say(['服务分', 'Score'])}>{scoreOf(row)}</Fact>
          </Facts>
        )}
      </Answer>
    </Section>
  )
}
const ShopDetail = ({ row }: { row: ShopRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={states} />}>
      <Section title={say(['店铺', 'Shop'])}>
        <Portrait of={row.logo} label={row.name} />
        <Facts>
          {row.status_reason && (
            <Fact wide label={say(['状态原因', 'Why'])}>
              {row.status_reason}
            </Fact>
          )}
          {row.rest_until_at !== null && (
            <Fact wide label={say(['预计恢复', 'Opens again'])}>
              <When at={row.rest_until_at} />
            </Fact>
          )}
          {row.applied !== null && (
            <Fact wide label={say(['申请', 'Application'])}>
              {say(auditStates[row.applied])}
            </Fact>
          )}
          <Blocks row={row} />
          <Fact label={say(['类型', 'Kind'])}>{say(shopTypes[row.shop_type])}</Fact>
          <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
          {row.mid > 0 && (
            <Fact wide label={say(['所属商场', 'Mall'])}>
              {row.mall_name}
            </Fact>
          )}
          <Fact wide label={say(['主营分类', 'Categories'])}>
            {row.category_name || '—'}
          </Fact>
          <Fact label={say(['品牌', 'Brand'])}>{row.brand_name || '—'}</Fact>
          <Fact label={say(['发货地', 'Ships from'])}>{row.ship_area || '—'}</Fact>
          <Fact label={say(['排序', 'Order'])}>{row.sort}</Fact>
          <Fact label={say(['店铺号', 'Number'])}>{row.store_no}</Fact>
        </Facts>
      </Section>
      <Section title={say(['商户', 'Merchant'])}>
        <Facts>
          <Fact wide label={say(['商户', 'Merchant'])}>
            {row.merchant_name}
          </Fact>
          <Fact label={say(['状态', 'State'])}>{say(merchantStates[row.merchant_status])}</Fact>
        </Facts>
      </Section>
      <Effects row={row} />
    </Inspector>
  )
}

/** Tells how many products followed what was done with a shop. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = (text: readonly [string, string], n: number) => {
    toast(say(text, { n }), 'success')
    return true
  }
  useResult(actions.rest, ({ taken_off }) =>
    told(['已暂停营业，下架 {n} 件商品', 'Paused, {n} products taken off sale'], taken_off),
  )
  useResult(actions.close, ({ taken_off }) =>
    told(['店铺已关闭，下架 {n} 件商品', 'Closed, {n} taken off sale'], taken_off),
  )
  useResult(actions.open, ({ given_back }) =>
    told(['已开店，{n} 件商品恢复在售', 'Open, {n} back on sale'], given_back),
  )
}
const ShopFilters = ({ of }: { of: Parameters<typeof Keyword>[0]['of'] }) => {
  const say = useSay()
  const categories = useRead(calls.categories, {}).data?.list ?? []
  return (
    <>
      <Keyword of={of} placeholder={say(['店铺名称、店铺号', 'Name or number'])} />
      <CityFilter of={of} />
      <Choice
        of={of}
        by="shop_type"
        label={say(['类型', 'Kind'])}
        options={(Object.keys(shopTypes) as ShopType[]).map(value => ({
          value,
          label: say(shopTypes[value]),
        }))}
      />
      <BranchChoice
        of={of}
        by="category_id"
        label={say(['主营分类', 'Category'])}
        nodes={categories}
      />
      <Toggle of={of} by="no_goods" label={say(['无在售商品', 'Nothing on sale'])} />
    </>
  )
}

/** Shops that ship goods: whom to open, to rest or to close, by how well they sell and send. */
export default function OnlineShops() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, storeStates)
  useCounted(actions.rest, calls.effects)
  useCounted(actions.close, calls.effects)
  useTold()
  useExport(actions.export, calls.export, { list })
  const [importing, setImporting] = useState(false)
  useAction(actions.import, () => setImporting(true))
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['线上店铺', 'Online shops'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={<ShopFilters of={list} />}
        />
        <Chosen of={list} none={say(['选择一家店铺', 'Choose a shop'])}>
          {row => <ShopDetail row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '每行新增一家线上店铺的草稿；已有的店铺（同商户、同名）不会重复新增。',
            'Each line makes a draft of a shop; one that is there already (merchant, name) is not made again.',
          ]}
          close={() => setImporting(false)}
        />
      )}
    </>
  )
}
