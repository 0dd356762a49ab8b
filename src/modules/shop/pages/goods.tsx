import { useState } from 'react'
import { goodsActions as actions } from '#commands/shop/goods.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import { ENDING_DAYS, refundPolicies } from '#src/areas/product/goods.ts'
import { percent } from '#src/domain/money.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { Among } from '#src/kit/among.tsx'
import { numberColumn, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { BranchChoice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { OffReason, productMarks, productTabs, SellerFacts, useGridOf } from '#src/kit/goods.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { BatchTime, TimeLogs } from '#src/kit/times.tsx'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { goods as calls, type GoodsRow } from '../contract/goods.ts'
import { GoodsGrid } from '../parts/goodsGrid.tsx'
import '../parts/shop.css'

const Stock = ({ row }: { row: GoodsRow }) => {
  const say = useSay()
  return row.stock_left > 0 || row.state !== 'on_sale' ? (
    row.stock_left
  ) : (
    <Badge tone="warn">{say(['售罄', 'Sold out'])}</Badge>
  )
}
const isEnding = (row: GoodsRow) =>
  row.state === 'on_sale' && row.sale_end_at <= unixNow() + ENDING_DAYS * DAY
/** Redeeming ends before codes that are sold do. */
const isShort = (row: GoodsRow) =>
  row.promised_until !== null && row.promised_until > row.check_end_at
const columns: readonly Column<GoodsRow>[] = [
  {
    key: 'title',
    title: ['商品', 'Product'],
    width: 240,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.image} /> {row.title}
      </>
    ),
    words: row => row.title,
  },
  stateColumn('state', ['状态', 'State'], 92, productMarks),
  {
    key: 'price',
    title: ['售价', 'Price'],
    width: 88,
    priority: 1,
    align: 'end',
    cell: row => <Money cents={row.price_cents} />,
  },
  {
    key: 'settle',
    title: ['结算价', 'Settlement price'],
    width: 88,
    align: 'end',
    cell: row => <Money cents={row.settle_price_cents} />,
  },
  {
    key: 'stock',
    title: ['可售', 'Sellable'],
    width: 68,
    align: 'end',
    cell: row => <Stock row={row} />,
  },
  numberColumn('sold', ['已售', 'Sold'], 60),
  numberColumn('redeemed', ['已核销', 'Redeemed'], 68),
  {
    key: 'sale_end_at',
    title: ['停售', 'Sale until'],
    width: 104,
    priority: 2,
    cell: row =>
      isEnding(row) ? (
        <Badge tone="warn">{dateOf(row.sale_end_at)}</Badge>
      ) : (
        dateOf(row.sale_end_at)
      ),
  },
  {
    key: 'check_end_at',
    title: ['核销截止', 'Redeem until'],
    width: 104,
    cell: row =>
      isShort(row) ? (
        <Badge tone="bad">{dateOf(row.check_end_at)}</Badge>
      ) : (
        dateOf(row.check_end_at)
      ),
  },
  textColumn('store_name', ['门店', 'Store'], 150),
  textColumn('mall_name', ['商场', 'Mall'], 120),
  textColumn('category_name', ['分类', 'Category'], 88),
  { ...numberColumn('sort', ['排序', 'Sort'], 60), optional: true },
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 150), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
]

const PriceFacts = ({ row }: { row: GoodsRow }) => {
  const say = useSay()
  return (
    <Section title={say(['价格与库存', 'Prices and stock'])}>
      <Facts>
        <Fact label={say(['售价', 'Price'])}>
          <Money cents={row.price_cents} sign />
        </Fact>
        <Fact label={say(['门市价', 'List price'])}>
          <Money cents={row.list_price_cents} sign />
        </Fact>
        <Fact label={say(['结算价', 'Settlement price'])}>
          <Money cents={row.settle_price_cents} sign />
        </Fact>
        <Fact label={say(['拼团', 'Group buying'])}>
          {row.group_need === null ? (
            '—'
          ) : (
            <>
              {say(['{n} 人', '{n} buyers'], { n: row.group_need })}{' '}
              <Money cents={row.group_price_cents} sign />
            </>
          )}
        </Fact>
        {row.audit_state && (
          <Fact wide label={say(['审核', 'Audit'])}>
            {say(auditStates[row.audit_state])} <Money cents={row.audit_price_cents} sign />
          </Fact>
        )}
        <Fact label={say(['可售库存', 'Stock'])}>
          <Stock row={row} />
        </Fact>
        <Fact label={say(['未支付占用', 'Held'])}>{row.held}</Fact>
        <Fact label={say(['已售', 'Sold'])}>{row.sold}</Fact>
        <Fact label={say(['已核销', 'Redeemed'])}>{row.redeemed}</Fact>
        <Fact label={say(['平台佣金', 'Take rate'])}>
          {row.commission_bp === undefined ? '—' : percent(row.commission_bp)}
        </Fact>
        <Fact label={say(['分销佣金', 'Seller share'])}>
          {row.distribution_bp == null ? say(['未分销', 'None']) : percent(row.distribution_bp)}
        </Fact>
      </Facts>
    </Section>
  )
}
const GoodsDetail = ({ row }: { row: GoodsRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.title} aside={<State of={row.state} in={productMarks} />}>
      <Section title={say(['商品', 'Product'])}>
        <Portrait of={row.image} label={row.title} />
        <Facts>
          <OffReason of={row} />
          <Fact label={say(['分类', 'Category'])}>{row.category_name}</Fact>
          <Fact label={say(['核销截止', 'Redeem until'])}>{dateOf(row.check_end_at)}</Fact>
        </Facts>
      </Section>
      <PriceFacts row={row} />
      <Section title={say(['售卖与核销', 'Sale and redeeming'])}>
        <Facts>
          <Fact wide label={say(['售卖', 'Sale'])}>
            <Span from={row.sale_start_at} to={row.sale_end_at} />
          </Fact>
          <Fact wide label={say(['核销', 'Redeeming'])}>
            <Span from={row.check_start_at} to={row.check_end_at} />
          </Fact>
          <Fact label={say(['未用券码', 'Unused codes'])}>{row.unused_codes}</Fact>
          <Fact label={say(['券码最晚有效', 'Codes valid until'])}>
            <When at={row.promised_until} />
          </Fact>
          <Fact label={say(['退款规则', 'Refund'])}>{say(refundPolicies[row.refund_policy])}</Fact>
          <Fact label={say(['排序', 'Sort'])}>{row.sort}</Fact>
        </Facts>
      </Section>
      <SellerFacts
        of={row}
        title={['商户与门店', 'Merchant and stores']}
        store={['门店', 'Store']}
      />
    </Inspector>
  )
}

const GoodsFilters = ({ of }: { of: Parameters<typeof Keyword>[0]['of'] }) => {
  const say = useSay()
  const categories = useRead(calls.categories, {}).data?.list ?? []
  return (
    <>
      <Keyword of={of} placeholder={say(['商品名称、编号', 'Title or number'])} />
      <CityFilter of={of} />
      <MallFilter of={of} />
      <Among
        of={of}
        by="store_id"
        label={say(['门店', 'Store'])}
        find={calls.stores}
        labelOf={one => one.name}
      />
      <BranchChoice of={of} by="category_id" label={say(['分类', 'Category'])} nodes={categories} />
      <Toggle of={of} by="ending" label={say(['7 天内停售', 'Ending in 7 days'])} />
      <Toggle of={of} by="short_redeem" label={say(['核销早于券码', 'Codes outlive it'])} />
      <Toggle of={of} by="sold_out" label={say(['售罄', 'Sold out'])} />
      <Toggle of={of} by="group" label={say(['可拼团', 'Group buying'])} />
    </>
  )
}

/** Tells how many rows of a batch of times went back. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.undoBatch, ({ undone, left }) => {
    toast(
      say(
        [
          '已撤销 {undone} 个，{left} 个已有变化，未撤销',
          '{undone} undone; {left} had changed and were kept',
        ],
        {
          undone,
          left,
        },
      ),
      left > 0 ? 'warning' : 'success',
    )
    return true
  })
}

/** Group-buys that stores sell, on a list, or some of them in a grid. */
export default function Goods() {
  const say = useSay()
  const list = useList(calls.lst)
  const [grid, closeGrid] = useGridOf(list, actions.openGrid)
  const [changing, setChanging] = useState<readonly GoodsRow[]>([])
  const [logs, setLogs] = useState(false)
  useAction(actions.batchTime, setChanging)
  useAction(actions.timeLogs, () => setLogs(true))
  const [importing, setImporting] = useState(false)
  useAction(actions.import, () => setImporting(true))
  useExport(actions.export, calls.export, { list })
  useTold()
  if (grid.length > 0) return <GoodsGrid ids={grid} close={closeGrid} />
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['门店团购商品', 'Store group-buys'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={productTabs}
          filters={<GoodsFilters of={list} />}
        />
        <Chosen of={list} none={say(['选择一个团购', 'Choose a group-buy'])}>
          {row => <GoodsDetail row={row} />}
        </Chosen>
      </ListDetail>
      {changing.length > 0 && (
        <BatchTime
          ids={changing.map(row => row.id)}
          call={calls.batchTime}
          close={() => setChanging([])}
        />
      )}
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '按商品编号修改价格、库存与排序；库存与排序立即生效，价格须经审核。可直接修改导出的文件再导入。',
            'Changes price, stock and order by product number. Stock and order take effect at once; prices need audit. You can edit an exported file and import it.',
          ]}
          reasoned
          close={() => setImporting(false)}
        />
      )}
      {logs && (
        <TimeLogs logs={calls.timeLogs} call={calls.batchTime} close={() => setLogs(false)} />
      )}
    </>
  )
}
